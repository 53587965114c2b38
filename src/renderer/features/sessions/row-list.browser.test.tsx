import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import { userEvent } from 'vitest/browser'
import '../../app.css'
import { expectAccessible } from '../../test/accessible.ts'
import { chatRowIds, moveRowByKey } from './chat-row-focus.ts'
import { RowList } from './RowList.tsx'

type Row = { id: string; inner?: readonly Row[] }

const aList = (count: number, name = 'row'): Row[] =>
  Array.from({ length: count }, (_, at) => ({ id: `${name}${at}` }))

/** The list as the sidebar has it: in a pane that scrolls, with arrow keys. A row may have rows of its own. */
function showList(entries: readonly Row[], tabId = entries[0]!.id) {
  const main = document.body.appendChild(document.createElement('main'))
  main.innerHTML = '<h1>Chats</h1>'
  const pane = main.appendChild(document.createElement('div'))
  pane.style.cssText = 'height: 400px; overflow-y: auto'
  const root = createRoot(pane)
  onTestFinished(() => {
    root.unmount()
    main.remove()
  })
  const draw = (rows: readonly Row[], tab: string) => (
    <RowList
      entries={rows}
      idsOf={({ id, inner = [] }) => [id, ...inner.map(each => each.id)]}
      renderEntry={({ id, inner }, place) => (
        <li key={id} {...place}>
          <button type="button" data-row={id} tabIndex={id === tab ? 0 : -1} style={{ height: 32 }}>
            {id}
          </button>
          {inner && draw(inner, tab)}
        </li>
      )}
      tabId={tab}
    />
  )
  const show = (rows: readonly Row[]) =>
    flushSync(() =>
      root.render(
        <div role="presentation" onKeyDown={moveRowByKey}>
          {draw(rows, tabId)}
        </div>,
      ),
    )
  show(entries)
  const drawn = () => pane.querySelectorAll('[data-row]').length
  const row = (id: string) => pane.querySelector<HTMLElement>(`[data-row="${id}"]`)
  return { pane, show, drawn, row }
}

const focused = () => (document.activeElement as HTMLElement | null)?.dataset['row']

test('of 10,000 rows only those near the window are in the page, wherever it is scrolled to', async () => {
  const { pane, drawn, row } = showList(aList(10_000))
  await expect.poll(drawn).toBeLessThan(200)
  for (let part = 0; part <= 40; part++) {
    pane.scrollTop = (part / 40) * pane.scrollHeight
    // The middle of the view shows a row, not the placeholder of unmounted rows.
    const { left, top, width, height } = pane.getBoundingClientRect()
    const middle = () => document.elementFromPoint(left + width / 40, top + height / 2)
    await expect.poll(() => middle()?.closest('[data-row]')).toBeTruthy()
    expect(drawn()).toBeLessThan(200)
  }
  await expect.poll(() => row('row9999')).toBeTruthy()
  await expect.poll(drawn).toBeLessThan(200)
  expect(Math.abs(pane.scrollHeight - 320_000)).toBeLessThan(2)
})

test('keys reach every row of a long list, and screen readers hear where they are', async () => {
  const { row, drawn } = showList(aList(10_000))
  row('row0')!.focus()
  await userEvent.keyboard('{End}')
  expect(focused()).toBe('row9999')
  expect(row('row9999')!.parentElement).toHaveAttribute('aria-posinset', '10000')
  expect(row('row9999')!.parentElement).toHaveAttribute('aria-setsize', '10000')
  for (let up = 1; up <= 70; up++) {
    await userEvent.keyboard('{ArrowUp}')
    expect(focused()).toBe(`row${9999 - up}`)
  }
  await userEvent.keyboard('{Home}')
  expect(focused()).toBe('row0')
  for (let down = 1; down <= 70; down++) {
    await userEvent.keyboard('{ArrowDown}')
    expect(focused()).toBe(`row${down}`)
  }
  await expect.poll(drawn).toBeLessThan(200)
  expect(chatRowIds()).toHaveLength(10_000)
  await expectAccessible()
})

test('the row with the focus and the one that Tab reaches stay while the list is scrolled', async () => {
  const { pane, row, drawn } = showList(aList(2_000), 'row700')
  row('row5')!.focus()
  pane.scrollTop = pane.scrollHeight
  await expect.poll(() => row('row1999')).toBeTruthy()
  await expect.poll(drawn).toBeLessThan(200)
  expect(focused()).toBe('row5')
  expect(row('row700')!.tabIndex).toBe(0)
})

test('a list that is hidden draws no rows, and those near the window once it is shown', async () => {
  const { pane, drawn, row } = showList(aList(2_000))
  pane.style.display = 'none'
  window.dispatchEvent(new Event('resize'))
  await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
  expect(drawn()).toBeLessThan(200)
  pane.style.display = ''
  pane.scrollTop = 30_000
  await expect.poll(() => row('row940')).toBeTruthy()
})

test('a list that shrinks or grows at either end keeps its rows and its keys', async () => {
  const { pane, show, row, drawn } = showList(aList(3_000))
  row('row0')!.focus()
  await userEvent.keyboard('{End}')
  show([...aList(60, 'new'), ...aList(2_990)])
  await expect.poll(drawn).toBeLessThan(300)
  pane.scrollTop = 0
  await expect.poll(() => row('new0')).toBeTruthy()
  row('new0')!.focus()
  await userEvent.keyboard('{End}')
  expect(focused()).toBe('row2989')
  show(aList(30))
  await expect.poll(drawn).toBe(30)
})

test('keys go into the rows of a long list within a row, and out of it at its end', async () => {
  const entries = aList(200)
  entries[110] = { id: 'group', inner: aList(300, 'inner') }
  const { row, pane } = showList(entries)
  row('row0')!.focus()
  pane.scrollTop = 0
  await userEvent.keyboard('{End}')
  expect(focused()).toBe('row199')
  const back: (string | undefined)[] = []
  for (let up = 0; up < 90; up++) {
    await userEvent.keyboard('{ArrowUp}')
    back.push(focused())
  }
  expect(back.slice(-3)).toEqual(['row111', 'inner299', 'inner298'])
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(focused()).toBe('row111')
})
