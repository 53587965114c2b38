import { beforeEach, expect, test } from 'vitest'
import { hideToast, showToast, toastList } from './toast-list.ts'

beforeEach(() => {
  for (const { id } of toastList.get()) hideToast(id)
})
const shown = () => toastList.get().map(({ text, times }) => [text, times])

test('the same error is one toast with a count, the newest last, and other errors stay', () => {
  for (const text of ['No disk', 'No host', 'No disk', 'No disk']) showToast(text, { level: 'error' })
  expect(shown()).toEqual([
    ['No host', 1],
    ['No disk', 3],
  ])
})

test('an error that was closed begins anew', () => {
  showToast('No disk', { level: 'error' })
  hideToast(toastList.get()[0]!.id)
  showToast('No disk', { level: 'error' })
  expect(shown()).toEqual([['No disk', 1]])
})

test('what was done twice is told once without a count, and an error of the same words beside it', () => {
  showToast('Copied')
  showToast('Copied')
  showToast('Copied', { level: 'error' })
  expect(shown()).toEqual([
    ['Copied', 1],
    ['Copied', 1],
  ])
})

test('toasts with a button stay apart, as each undoes something else', () => {
  for (let times = 0; times < 2; times++) showToast('Removed', { action: { label: 'Undo', run: () => {} } })
  expect(shown()).toEqual([
    ['Removed', 1],
    ['Removed', 1],
  ])
})

test('errors on one topic replace each other, and the same one goes on counting', () => {
  for (const text of ['Slow', 'Gone', 'Gone']) showToast(text, { level: 'error', about: 'disk' })
  expect(shown()).toEqual([['Gone', 2]])
})

test('of a hundred errors no more than four are shown', () => {
  for (let at = 0; at < 100; at++) showToast(`Error ${at % 7}`, { level: 'error' })
  expect(toastList.get().length).toBeLessThanOrEqual(4)
})
