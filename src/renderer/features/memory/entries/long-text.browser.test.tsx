import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { CSP } from '../../../../main/lib/csp.ts'
import { button } from '../../../test/show-window.tsx'
import type { PreparedHost } from '../../../test/test-host.ts'
import { showLongEditor } from './long-editor.ts'
import { LongText } from './LongText.tsx'
import { editor, entriesOf, entry, showMemory, takeRoom, tight } from '../../../test/memory.ts'

const long = 'Line one.\nLine **two**.'

/** Begin to edit the entry of several lines, and wait until its editor is there. */
async function editLong(prepare: (host: PreparedHost) => void = () => {}) {
  const host = await showMemory(
    host => {
      void host.seed.entry({ id: 'long', text: long })
      prepare(host)
    },
    { config: tight },
  )
  await entry('Line one. Line **two**.').click()
  await expect.element(editor()).toHaveAttribute('aria-multiline', 'true')
  return host
}
const lines = () => [...editor().element().querySelectorAll('.cm-line')].map(line => line.textContent)
const hasFocus = () => (editor().element().getRootNode() as ShadowRoot).activeElement === editor().element()

test('in a long entry Enter starts a new line, and Ctrl+Enter saves', async () => {
  const host = await editLong()
  await expect.poll(hasFocus).toBe(true)
  await userEvent.keyboard('{Enter}Three.')
  await expect.poll(lines).toEqual(['Line one.', 'Line **two**.', 'Three.'])
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(editor()).not.toBeInTheDocument()
  expect((await entriesOf(host))[0]?.text).toBe(`${long}\nThree.`)
  await expect.element(entry('Line one. Line **two**. Three.')).toHaveFocus()
})

test('Esc cancels a long edit, and the arrow keys move within the text', async () => {
  const host = await editLong()
  await userEvent.keyboard('{ArrowUp}{Home}First: ')
  await expect.poll(lines).toEqual(['First: Line one.', 'Line **two**.'])
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.poll(lines).toEqual(long.split('\n'))
  await userEvent.keyboard('Again{Escape}')
  await expect.element(editor()).not.toBeInTheDocument()
  await expect.element(entry('Line one. Line **two**.')).toHaveFocus()
  expect((await entriesOf(host))[0]?.text).toBe(long)
})

test('lists continue on Enter, and bold text is shown in bold', async () => {
  await editLong()
  const strong = [...editor().element().querySelectorAll('.cm-line span')].find(
    span => span.textContent === '**two**',
  )
  expect(getComputedStyle(strong!).fontWeight).toBe('700')
  await userEvent.keyboard('{Enter}{Enter}- a{Enter}b')
  await expect.poll(lines).toEqual([...long.split('\n'), '', '- a', '- b'])
})

test('a refused edit of a long entry stays, marked as invalid', async () => {
  await editLong(host => takeRoom(host, 200 - 3 - long.length))
  await userEvent.keyboard('!')
  await button('Save').click()
  await expect.element(page.getByText(/Not saved: this would take 201 of 200 characters\./)).toBeVisible()
  await expect.element(editor()).toHaveAttribute('aria-invalid', 'true')
  expect(lines()).toEqual(['Line one.', 'Line **two**.!'])
  expect(editor().element().getRootNode()).toBeInstanceOf(ShadowRoot)
  const about = (editor().element().getRootNode() as ShadowRoot).getElementById('about')
  expect(about?.textContent).toBe('Ctrl+Enter saves, Esc cancels, Enter starts a new line.')
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
  const nothing = () => {}
  const shown = showLongEditor(place, {
    text: 'One.',
    selection: { anchor: 0, head: 0 },
    label: 'Text',
    hint: 'Esc leaves.',
    mostLetters: 100,
    onChange: nothing,
    onSave: nothing,
    onCancel: nothing,
  })
  const content = place.shadowRoot!.querySelector('.cm-content')!
  expect(frame.contentWindow!.getComputedStyle(content).whiteSpace).toBe('break-spaces')
  expect(refused).toEqual([])
  // The same policy does refuse what CodeMirror would do outside of a shadow root.
  const style = inside.createElement('style')
  style.textContent = 'div { color: red }'
  inside.head.append(style)
  await expect.poll(() => refused).toEqual(['style-src-elem'])
  shown.close()
  frame.remove()
})

/** A field of its own, whose editor comes from where the test says. */
async function showField(load: () => Promise<typeof import('./long-editor.ts')>) {
  const did: string[] = []
  function Field() {
    const [value, setValue] = useState('One. Two.')
    return (
      <LongText
        value={value}
        label="Text of the entry"
        hint="Esc leaves."
        describedBy="nothing"
        invalid={false}
        load={load}
        onChange={setValue}
        onSave={() => void did.push(`save ${value}`)}
        onCancel={() => void did.push('cancel')}
      />
    )
  }
  await render(<Field />)
  return did
}

test('text typed and selected before the editor has loaded is kept', async () => {
  const { promise, resolve } = Promise.withResolvers<typeof import('./long-editor.ts')>()
  await showField(() => promise)
  await userEvent.keyboard('!{Home}1')
  await expect.element(editor()).toHaveValue('1One. Two.!')
  resolve(await import('./long-editor.ts'))
  await expect.element(editor()).toHaveAttribute('aria-multiline', 'true')
  await userEvent.keyboard('2')
  await expect.poll(lines).toEqual(['12One. Two.!'])
})

test('if the editor cannot be loaded, a plain field takes its place', async () => {
  const did = await showField(() => Promise.reject(new Error('The file is not there.')))
  await userEvent.keyboard('{Enter}Three.{Control>}{Enter}{/Control}{Escape}')
  expect(did).toEqual(['save One. Two.\nThree.', 'cancel'])
  await expect.element(editor()).toHaveValue('One. Two.\nThree.')
})

test('what a button puts into the editor can be undone, and so can what was typed before it', async () => {
  function Field() {
    const [value, setValue] = useState('One.')
    return (
      <>
        <button type="button" onClick={() => setValue('A statement.')}>
          Use the statement
        </button>
        <LongText
          value={value}
          label="Text of the entry"
          hint="Esc leaves."
          describedBy="nothing"
          invalid={false}
          onChange={setValue}
          onSave={() => {}}
          onCancel={() => {}}
        />
      </>
    )
  }
  await render(<Field />)
  await expect.element(editor()).toHaveAttribute('aria-multiline', 'true')
  await userEvent.click(editor())
  await userEvent.keyboard('{Control>}{End}{/Control} Two.')
  await expect.poll(lines).toEqual(['One. Two.'])
  await page.getByRole('button', { name: 'Use the statement' }).click()
  await expect.poll(lines).toEqual(['A statement.'])
  await userEvent.click(editor())
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.poll(lines).toEqual(['One. Two.'])
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.poll(lines).toEqual(['One.'])
})

test('text stops at the host’s maximum length', async () => {
  const did = await showField(() => import('./long-editor.ts'))
  await expect.element(editor()).toHaveAttribute('aria-multiline', 'true')
  await editor().fill('x'.repeat(20_000))
  await userEvent.keyboard('y{Control>}{Enter}{/Control}')
  expect(did).toEqual([`save ${'x'.repeat(20_000)}`])
})
