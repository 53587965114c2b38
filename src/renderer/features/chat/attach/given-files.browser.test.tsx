import { afterEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { MAX_ATTACHMENT_BYTES, MOST_ATTACHMENTS } from '../../../../shared/contract/chats/attachments.ts'
import { Fault } from '../../../../shared/rpc.ts'
import { expectAccessibleAt } from '../../../test/accessible.ts'
import { drop } from '../../../test/models.tsx'
import { button, composer, openWindow, say, showWindow, transcript } from '../../../test/show-window.tsx'

const textFile = (name: string, text: BlobPart) => new File([text], name)
const chips = () => page.getByRole('list', { name: 'Attached files' })
const chip = (name: string) => chips().getByRole('listitem').filter({ hasText: name })
const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
const main = () => document.querySelector('main')!

/** A picture of one colour. */
async function picture(name = 'image.png', width = 60, height = 40): Promise<File> {
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')!
  context.fillStyle = 'rgb(200 40 40)'
  context.fillRect(0, 0, width, height)
  return new File([await canvas.convertToBlob({ type: 'image/png' })], name, { type: 'image/png' })
}

/** Paste this clipboard content as a browser does. Returns whether the default paste was prevented. */
function paste(given: { files?: File[]; html?: string; text?: string }): boolean {
  const clipboardData = new DataTransfer()
  for (const file of given.files ?? []) clipboardData.items.add(file)
  if (given.html !== undefined) clipboardData.setData('text/html', given.html)
  if (given.text !== undefined) clipboardData.setData('text/plain', given.text)
  const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData })
  composer().element().dispatchEvent(event)
  return event.defaultPrevented
}

afterEach(() => {
  delete window.desktop
})

describe('a dropped file', () => {
  test('is a chip, goes with the message, and stands in the transcript, where its text can be read', async () => {
    const host = await showWindow()
    drop(main(), textFile('notes.txt', 'The kiln is fired at 1240 degrees.\n'.repeat(20)))
    await expect.element(chip('notes.txt')).toMatchTextContent(/Text · \d+ tokens/)
    await expect.element(composer()).toHaveValue('')
    await say('How hot is it?')
    const asked = await host.nextAsked()
    expect(JSON.stringify(asked.body.messages)).toContain('1240 degrees')
    await asked.say('1240 degrees.')
    await expect.element(chips()).not.toBeInTheDocument()
    const sent = transcript().getByRole('button', { name: /notes\.txt/ })
    await sent.click()
    const dialog = page.getByRole('dialog', { name: 'notes.txt' })
    await expect.element(dialog).toMatchTextContent('The kiln is fired')
    await dialog.getByLabelText('Search in this text').fill('degrees')
    await expect.element(dialog.getByText('degrees', { exact: true }).first()).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
  })

  test('stays after a reload, and goes when it is removed', async () => {
    const host = await showWindow()
    drop(main(), textFile('notes.txt', 'Tea'), textFile('more.txt', 'Milk'))
    await expect.element(chip('more.txt')).toMatchTextContent('token')
    await openWindow(host)
    await expect.element(chip('notes.txt')).toBeVisible()
    await button('Remove notes.txt').click()
    await expect.element(chip('notes.txt')).not.toBeInTheDocument()
    await expect.element(chip('more.txt')).toBeVisible()
  })

  test('can be sent without words', async () => {
    const host = await showWindow()
    drop(main(), textFile('notes.txt', 'Tea'))
    await expect.element(chip('notes.txt')).toBeVisible()
    await button('Send').click()
    await (await host.nextAsked()).say('Thank you.')
    await expect.element(transcript().getByText('Here is notes.txt.')).toBeVisible()
  })

  test('waits in the queue with its message, and not in the draft', async () => {
    const host = await showWindow()
    await say('Hello')
    const first = await host.nextAsked()
    drop(main(), textFile('notes.txt', 'Tea'))
    await expect.element(chip('notes.txt')).toBeVisible()
    await say('What is in it?')
    const queue = page.getByRole('region', { name: 'Queued messages' })
    await expect.element(queue).toMatchTextContent('notes.txt')
    await expect.element(chips()).not.toBeInTheDocument()
    await first.say('Good morning.')
    const second = await host.nextAsked()
    expect(JSON.stringify(second.body.messages)).toContain('notes.txt')
    await second.say('Tea.')
    await expect.element(transcript().getByRole('button', { name: /notes\.txt/ })).toBeVisible()
    await expect.element(queue).not.toBeInTheDocument()
  })

  test('comes back with its message when that could not be sent', async () => {
    const host = await showWindow()
    drop(main(), textFile('notes.txt', 'Tea'))
    await expect.element(chip('notes.txt')).toBeVisible()
    host.failNext('chat.send', new Fault('bad_input', 'The disk is full.'))
    await say('Look')
    await expect.element(page.getByRole('alert')).toMatchTextContent('Not sent: The disk is full.')
    await expect.element(composer()).toHaveValue('Look')
    await expect.element(chip('notes.txt')).toBeVisible()
  })

  test('that was not accepted says why and can be tried again', async () => {
    const host = await showWindow()
    host.failNext('attachment.add', new Fault('bad_input', 'notes.txt: the disk is full.'))
    drop(main(), textFile('notes.txt', 'Tea'))
    await expect.element(chip('notes.txt')).toMatchTextContent('the disk is full.')
    await button('Attach notes.txt again').click()
    await expect.element(chip('notes.txt')).toMatchTextContent(/Text · \d+ token/)
  })

  test('that was not accepted takes no room from others', async () => {
    await showWindow()
    // One blob for all files; the window refuses it for its size.
    const content = new Blob([new Uint8Array(MAX_ATTACHMENT_BYTES + 1)])
    drop(main(), ...Array.from({ length: MOST_ATTACHMENTS }, (_, at) => textFile(`${at}.iso`, content)))
    await expect.element(chip('19.iso').getByRole('alert')).toBeVisible()
    drop(main(), textFile('notes.txt', 'Tea'))
    await expect.element(chip('notes.txt')).toMatchTextContent(/Text · \d+ token/)
  })

  test('that is locked asks for its password, which goes with the next try', async () => {
    const host = await showWindow()
    const locked = new Fault('bad_input', 'bill.txt is locked with a password.', { needs: 'password' })
    host.failNext('attachment.add', locked)
    drop(main(), textFile('bill.txt', 'Tea'))
    await expect.element(chip('bill.txt')).toMatchTextContent('It is locked with a password')
    await button('Enter its password').click()
    await page.getByLabelText('Password', { exact: true }).fill('kiln')
    await userEvent.keyboard('{Enter}')
    await expect.element(chip('bill.txt')).toMatchTextContent('token')
    expect(host.asked.findLast(({ name }) => name === 'attachment.add')?.input).toMatchObject({
      password: 'kiln',
    })
  })

  test('in the desktop app goes by its path, which a message can name when it is refused', async () => {
    const host = await showWindow()
    window.desktop = { requestPort() {}, pathOf: file => `/no/such/${(file as File).name}` }
    await composer().fill('Look at')
    drop(main(), textFile('photo.raw', 'x'))
    await expect.element(chip('photo.raw')).toMatchTextContent('no such file')
    expect(host.asked.find(({ name }) => name === 'attachment.add')?.input).toMatchObject({
      from: { kind: 'path', path: '/no/such/photo.raw' },
    })
    await button('Write its path').click()
    await expect.element(composer()).toHaveValue('Look at\n/no/such/photo.raw')
    await expect.element(chips()).not.toBeInTheDocument()
  })
})

describe('a paste', () => {
  test('a picture is shown on its chip and in the transcript, opens large and closes with Escape', async () => {
    const host = await showWindow()
    await composer().fill('What is in this picture?')
    expect(paste({ files: [await picture()] })).toBe(true)
    await expect.element(chip('Pasted picture.png')).toMatchTextContent('Picture · 60 × 40')
    await userEvent.click(composer())
    await userEvent.keyboard('{Enter}')
    await (await host.nextAsked()).say('Red.')
    const shown = transcript().getByRole('button', { name: 'Picture Pasted picture.png' })
    await shown.click()
    const large = page.getByRole('dialog', { name: 'Picture Pasted picture.png' })
    await expect.element(large.getByRole('img')).toBeVisible()
    await userEvent.keyboard('{Escape}')
    await expect.element(large).not.toBeInTheDocument()
  })

  test('a long text becomes an attachment, and comes back into the message', async () => {
    await showWindow()
    const long = 'A line of words.\n'.repeat(600)
    await composer().fill('Sum up')
    expect(paste({ text: long })).toBe(true)
    await expect.element(chip('Pasted text.txt')).toBeVisible()
    await expect.element(composer()).toHaveValue('Sum up')
    await expect.element(said('10,200 characters, so it was attached')).toBeVisible()
    await button('Put it into the message').click()
    await expect.element(chips()).not.toBeInTheDocument()
    const field = composer().element()
    expect(field instanceof HTMLTextAreaElement && field.value).toBe(`Sum up\n${long}`)
  })

  test('a text is left to the browser, with a picture of it in the clipboard, too', async () => {
    await showWindow()
    expect(paste({ text: 'cells', html: '<b>cells</b>', files: [await picture()] })).toBe(false)
    await expect.element(chips()).not.toBeInTheDocument()
  })

  test('formatted text without plain text is put in as words, and what has none is said', async () => {
    await showWindow()
    await composer().fill('Read: ')
    paste({ html: '<p>Dear <b>Ada</b>,</p><script>alert(1)</script><p>hello</p>' })
    await expect.element(composer()).toHaveValue('Read: \nDear Ada,\nhello')
    paste({ html: '<img src="https://a.example/b.png">' })
    await expect.element(said('contains no text.')).toBeVisible()
    paste({})
    await expect.element(said('contains no text or files')).toBeVisible()
  })
})

test('the choice between the whole document and passages is kept', async () => {
  const host = await showWindow()
  drop(main(), textFile('report.md', 'A line of words.\n'.repeat(100)))
  await button(/Whole document.*How report\.md is sent/).click()
  await page.getByRole('radio', { name: 'Passages' }).click()
  await expect.element(button(/^Passages.*How report\.md is sent/)).toBeVisible()
  await openWindow(host)
  await expect.element(button(/^Passages.*How report\.md is sent/)).toBeVisible()
})

test('an edited message keeps its files, and going back brings them into the draft', async () => {
  const host = await showWindow()
  drop(main(), textFile('notes.txt', 'Tea'))
  await expect.element(chip('notes.txt')).toMatchTextContent('token')
  await say('What is in it?')
  await (await host.nextAsked()).say('Tea.')
  const sent = transcript().getByRole('button', { name: /notes\.txt/ })
  await expect.element(transcript().getByText('Tea.')).toBeVisible()
  await button('Edit message').click()
  await expect.element(sent).toBeVisible()
  await page.getByRole('textbox', { name: 'Your message' }).fill('And what is not?')
  await transcript().getByRole('button', { name: 'Send' }).click()
  const again = await host.nextAsked()
  expect(JSON.stringify(again.body.messages)).toContain('notes.txt')
  await again.say('Milk.')
  await expect.element(transcript().getByText('Milk.')).toBeVisible()
  await expect.element(sent).toBeVisible()

  await say('/undo')
  await expect.element(chip('notes.txt')).toBeVisible()
  await expect.element(composer()).toHaveValue('And what is not?')
})

test('what another window attaches and takes back is seen here at once', async () => {
  const host = await showWindow()
  await composer().fill('Look')
  const chats = async () => (await host.elsewhere['session.list']({})).sessions
  await expect.poll(async () => (await chats()).length).toBe(1)
  const sessionId = (await chats())[0]!.id
  const { hash } = await host.elsewhere['attachment.add']({
    sessionId,
    from: { kind: 'bytes', name: 'other.txt', base64: btoa('Milk') },
  })
  await expect.element(chip('other.txt')).toBeVisible()
  await host.elsewhere['attachment.remove']({ sessionId, hash })
  await expect.element(chips()).not.toBeInTheDocument()
})

test('a file that is given twice is one chip, and that is said', async () => {
  await showWindow()
  drop(main(), textFile('notes.txt', 'Tea'))
  await expect.element(chip('notes.txt')).toBeVisible()
  drop(main(), textFile('notes.txt', 'Tea'))
  await expect.element(said('notes.txt is already attached.')).toBeVisible()
  drop(main(), textFile('copy.txt', 'Tea'))
  await expect.element(said('copy.txt has the same content')).toBeVisible()
  expect(chips().getByRole('listitem').elements().length).toBe(1)
})

describe('an @ in the message', () => {
  const list = () => page.getByRole('listbox', { name: 'Files in this folder' })
  const withFiles = () =>
    showWindow(() => {}, {
      workspaceFiles: {
        'plan.md': 'The kiln is hot.',
        'docs/plans/old plan.md': 'It was cold.',
        '.env': 'KEY=1',
        'server.pem': 'secret',
      },
    })

  test('lists files of the folder; Enter attaches one and leaves its name in the message', async () => {
    const host = await withFiles()
    await userEvent.type(composer(), 'Compare @')
    await expect.element(list().getByRole('option')).toMatchTextContent('plan.md')
    await userEvent.keyboard('plan')
    await expect.element(list().getByRole('option', { name: /old plan/ })).toMatchTextContent('docs/plans')
    await userEvent.keyboard('{ArrowDown}{Enter}')
    await expect.element(chip('old plan.md')).toMatchTextContent('token')
    await expect.element(composer()).toHaveValue('Compare old plan.md ')
    await userEvent.keyboard('and @plan.md')
    await expect.element(list().getByRole('option').first()).toMatchTextContent(/^plan\.md/)
    await userEvent.keyboard('{Tab}')
    await expect.element(chip('plan.md').nth(1)).toMatchTextContent('token')
    await userEvent.keyboard('please{Enter}')
    const asked = await host.nextAsked()
    const messages = JSON.stringify(asked.body.messages)
    expect(messages).toContain('The kiln is hot.')
    expect(messages).toContain('Compare old plan.md and plan.md please')
    await asked.say('Hot and cold.')
  })

  test('offers nothing that may hold keys; Escape closes the list, and the message goes as it is', async () => {
    const host = await withFiles()
    await userEvent.type(composer(), 'Ask @')
    await expect.element(list()).toBeVisible()
    expect(list().getByRole('option').elements().length).toBe(1)
    await expectAccessibleAt(1280, 420)
    await userEvent.keyboard('{Escape}')
    await expect.element(list()).not.toBeInTheDocument()
    await userEvent.keyboard('p{Enter}')
    const asked = await host.nextAsked()
    expect(JSON.stringify(asked.body.messages)).toContain('Ask @p')
    await asked.say('Yes.')
  })
})

test('while the model answers, it is said that a message with files waits', async () => {
  const host = await showWindow()
  await say('Hello')
  const first = await host.nextAsked()
  drop(main(), textFile('notes.txt', 'Tea'))
  await expect.element(said('A message with files is sent when this answer is done.')).toBeVisible()
  await first.say('Good morning.')
  await expect.element(said('A message with files')).not.toBeInTheDocument()
})

test('chips, their details and sent files are accessible', async () => {
  const host = await showWindow()
  drop(main(), textFile('report.md', 'A line of words.\n'.repeat(100)), await picture('photo.png', 900, 600))
  await expect.element(chip('photo.png')).toMatchTextContent('Picture')
  drop(main(), textFile('program.bin', new Uint8Array([127, 69, 76, 70, 0, 1, 0, 0])))
  await expect.element(chip('program.bin').getByRole('alert')).toBeVisible()
  await expectAccessibleAt(1280, 420)
  await page.viewport(1280, 800)
  await button('Remove program.bin').click()
  await button(/How report\.md is sent/).click()
  await expectAccessibleAt(1280, 420)
  await userEvent.keyboard('{Escape}')
  await say('Look')
  await (await host.nextAsked()).say('Seen.')
  await expect.element(transcript().getByRole('button', { name: /photo\.png/ })).toBeVisible()
  await expectAccessibleAt(1280, 420)
})
