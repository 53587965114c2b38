import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { CSP } from '../../../../main/lib/csp.ts'
import '../../../test/show-window.tsx'
import { showCodeEditor } from './code-editor.ts'
import { CodeField } from './CodeField.tsx'

type Load = () => Promise<{ showCodeEditor: typeof showCodeEditor }>

const field = () => page.getByRole('textbox', { name: 'Text', exact: true })
const lines = () =>
  [...(field().elements()[0]?.querySelectorAll('.cm-line') ?? [])].map(line => line.textContent)

/** A field of its own, whose editor comes from where the test says; a button changes its text from outside. */
async function showField(given: string, load: Load = () => import('./code-editor.ts')) {
  let text = given
  function Field() {
    const [{ value, revision }, set] = useState({ value: given, revision: 0 })
    const change = (value: string, by = 0) => {
      text = value
      set(now => ({ value, revision: now.revision + by }))
    }
    return (
      <>
        <button type="button" onClick={() => change(value.replace('One', 'The first'), 1)}>
          Change
        </button>
        <CodeField
          value={value}
          revision={revision}
          label="Text"
          hint="Tab leaves."
          markdown
          marks={[]}
          goal={null}
          invalid={false}
          load={load}
          onChange={change}
        />
      </>
    )
  }
  await render(<Field />)
  return () => text
}
const isReady = () => expect.element(field()).toHaveAttribute('aria-multiline', 'true')

test('an edit keeps the file’s line endings', async () => {
  const text = await showField('One.\r\nTwo.\r\n')
  await isReady()
  await field().click()
  await userEvent.keyboard('{Control>}{End}{/Control}Three.{Enter}')
  await expect.poll(text).toBe('One.\r\nTwo.\r\nThree.\r\n')
})

test('a change from outside keeps the caret and text typed before it', async () => {
  const text = await showField('One.\nTwo.')
  await isReady()
  await field().click()
  await userEvent.keyboard('{Control>}{End}{/Control} Three.')
  await page.getByRole('button', { name: 'Change' }).click()
  await expect.poll(lines).toEqual(['The first.', 'Two. Three.'])
  await field().click()
  await userEvent.keyboard('{Control>}{End}{/Control}!')
  await expect.poll(text).toBe('The first.\nTwo. Three.!')
})

test('Shift+Tab leaves the editor', async () => {
  await showField('One.')
  await isReady()
  await field().click()
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}')
  await expect.element(page.getByRole('button', { name: 'Change' })).toHaveFocus()
})

test('if the editor cannot be loaded, a plain field takes its place', async () => {
  const text = await showField('One.\r\n', () => Promise.reject(new Error('The file is not there.')))
  await field().click()
  await userEvent.keyboard('{Control>}{End}{/Control}Two.')
  expect(text()).toBe('One.\r\nTwo.')
  await expect.element(field()).not.toHaveAttribute('aria-multiline')
})

test('text typed before the editor has loaded is kept', async () => {
  const { promise, resolve } = Promise.withResolvers<{ showCodeEditor: typeof showCodeEditor }>()
  await showField('One.', () => promise)
  await field().click()
  await userEvent.keyboard('{Control>}{End}{/Control} Two.')
  resolve({ showCodeEditor })
  await isReady()
  await userEvent.keyboard(' Three.')
  await expect.poll(lines).toEqual(['One. Two. Three.'])
})

test('the editor’s styles are allowed by the window’s content security policy', async () => {
  const frame = document.createElement('iframe')
  frame.srcdoc = `<meta http-equiv="Content-Security-Policy" content="${CSP.replace(/; frame-ancestors 'none'/, '')}">`
  const loaded = new Promise(done => frame.addEventListener('load', done))
  document.body.append(frame)
  await loaded
  const inside = frame.contentDocument!
  const refused: string[] = []
  inside.addEventListener('securitypolicyviolation', event => refused.push(event.effectiveDirective))
  const place = inside.createElement('div')
  inside.body.append(place)
  const shown = showCodeEditor(place, {
    text: 'One.\nTwo.',
    selection: { anchor: 0, head: 0 },
    label: 'Text',
    hint: 'Tab leaves.',
    markdown: true,
    mostLetters: 100,
    onChange: () => {},
  })
  shown.mark([{ line: 2, level: 'error', text: 'Wrong.' }])
  const marked = place.shadowRoot!.querySelector('.cm-mark-error')!
  expect(marked.textContent).toBe('Two.')
  expect(
    frame.contentWindow!.getComputedStyle(place.shadowRoot!.querySelector('.cm-content')!).whiteSpace,
  ).toBe('break-spaces')
  expect(refused).toEqual([])
  shown.close()
  frame.remove()
})
