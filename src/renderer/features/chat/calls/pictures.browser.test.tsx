import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectAccessibleAt } from '../../../test/accessible.ts'
import { drop } from '../../../test/models.tsx'
import { button, composer, say, showWindow, transcript } from '../../../test/show-window.tsx'

/**
 * A bitmap of 64 by 64 pixels, red above and blue below. All its bytes are valid text, so it can be seeded as
 * a text file.
 */
const flag = (): string => {
  const number = (value: number, bytes: number) =>
    Array.from({ length: bytes }, (_, at) => String.fromCharCode((value >> (8 * at)) & 0xff)).join('')
  const row = (blue: number, red: number) => (number(blue, 1) + number(0, 1) + number(red, 1)).repeat(64)
  const head = `BM${number(12_342, 4)}${number(0, 4)}${number(54, 4)}`
  const size = `${number(40, 4)}${number(64, 4)}${number(64, 4)}${number(1, 2)}${number(24, 2)}`
  return head + size + number(0, 24) + row(120, 0).repeat(32) + row(0, 120).repeat(32)
}
const pictures = () => transcript().getByRole('list', { name: 'Pictures from the result' })
const aFile = async () => new File([flag()], 'flag.bmp')

type Host = Awaited<ReturnType<typeof showWindow>>

/** Make a model without vision the default; returns the id of the model that describes pictures for it. */
async function useBlindModel(host: Host, eyeUrl = host.modelUrl): Promise<void> {
  const { elsewhere, modelUrl } = host
  const add = (name: string, model: string, baseUrl: string) =>
    elsewhere['model.addServer']({ name, model, baseUrl })
  const [blind, eye] = [await add('Blind', 'deepseek-chat', modelUrl), await add('Eye', 'pixtral', eyeUrl)]
  await elsewhere['settings.set']({ path: 'models.auxiliary.vision', value: eye.id })
  await elsewhere['model.setDefault']({ id: blind.id })
}

test('a picture that a tool has read stands below its card, and opens large by key, and the focus comes back', async () => {
  const host = await showWindow(() => {}, { workspaceFiles: { 'flag.bmp': flag() } })
  await say('Look at flag.bmp')
  const asked = await host.nextAsked()
  await asked.call('read_file', { path: 'flag.bmp' })
  await asked.end()
  const seen = await host.nextAsked()
  expect(JSON.stringify(seen.body.messages)).toContain('data:image/')
  await seen.say('A flag.')
  const shown = pictures().getByRole('button', { name: 'Picture flag.bmp' })
  await expect.element(shown.getByRole('img')).toBeVisible()
  await expectAccessibleAt(1280, 420)
  await page.viewport(1280, 800)
  ;(shown.element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  const large = page.getByRole('dialog', { name: 'Picture flag.bmp' })
  await expect.element(large.getByRole('img')).toBeVisible()
  await expectAccessibleAt(1280, 420)
  await userEvent.keyboard('{Escape}')
  await expect.element(large).not.toBeInTheDocument()
  await expect.element(shown).toHaveFocus()
})

test('what another model says of a picture is its text for a screen reader at once', async () => {
  const host = await showWindow()
  await useBlindModel(host)
  drop(document.querySelector('main')!, await aFile())
  await expect.element(page.getByRole('list', { name: 'Attached files' })).toMatchTextContent('flag.bmp')
  await say('What is this?')
  const described = await host.nextAsked()
  expect(JSON.stringify(described.body.messages)).toContain('data:image/')
  await described.say('A flag, red above blue.')
  const answered = await host.nextAsked()
  expect(JSON.stringify(answered.body.messages)).toContain('A flag, red above blue.')
  await expect.element(transcript().getByRole('button', { name: 'A flag, red above blue.' })).toBeVisible()
  await answered.say('It is a flag.')
  await transcript().getByRole('button', { name: 'A flag, red above blue.' }).click()
  const large = page.getByRole('dialog', { name: 'Picture flag.bmp' })
  await expect.element(large.getByText('A flag, red above blue.')).toBeVisible()
})

test('before the first picture goes to a server elsewhere it is named, and with a no nothing goes there', async () => {
  const host = await showWindow()
  await useBlindModel(host, 'http://eye.example/v1')
  drop(document.querySelector('main')!, await aFile())
  await expect.element(page.getByRole('list', { name: 'Attached files' })).toMatchTextContent('flag.bmp')
  await composer().fill('What is this?')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Send flag.bmp to Eye (eye.example)').first()).toBeVisible()
  await expectAccessibleAt(1280, 420)
  await page.viewport(1280, 800)
  await expect.element(button(/^Allow/)).toMatchTextContent(/^Allow ?Enter$/)
  await button('Deny').click()
  await expect
    .element(transcript().getByText(/It was not allowed that pictures go to Eye \(eye\.example\)/))
    .toBeVisible()
})
