import { expect, test } from 'vitest'
import type { MemoryEntry, MemoryView } from '../../../shared/contract/learned/memory.ts'
import {
  capacitiesOf,
  entriesOf,
  filterEntries,
  initialMemory,
  noFilters,
  withView,
  type Filters,
} from './memory-state.ts'
import { anEntry } from '../../../../testing/memory/an-entry.ts'

const day = 86_400_000
const entry = (given: Partial<MemoryEntry> & { id: string }) => anEntry({ text: given.id, ...given })
const view = (entries: readonly MemoryEntry[], given: Partial<MemoryView> = {}): MemoryView => ({
  entries: [...entries],
  capacity: [],
  projects: [],
  outside: [],
  waiting: [],
  unreadable: [],
  oversized: [],
  useInChats: true,
  learnFromChats: true,
  archived: 0,
  ...given,
})
const ids = (entries: readonly MemoryEntry[]) => entries.map(entry => entry.id)

const now = 100 * day
const notes = [
  entry({ id: 'pnpm', text: 'Uses pnpm for packages', origin: 'agent', updatedAt: now - day }),
  entry({ id: 'bern', text: 'Lives in Bern', locked: true, updatedAt: now - 20 * day }),
  entry({ id: 'tea', target: 'memory', project: 'p1', text: 'Tea, not coffee', updatedAt: now - 60 * day }),
  entry({ id: 'build', target: 'memory', text: 'Build with make', origin: 'file', updatedAt: now }),
]

test.for([
  [{ query: 'PACKAGES uses' }, ['pnpm']],
  [{ query: '  ' }, ['pnpm', 'bern', 'tea', 'build']],
  [{ scope: 'p1' }, ['pnpm', 'bern', 'tea']],
  [{ scope: 'everywhere' }, ['pnpm', 'bern', 'build']],
  [{ origin: 'agent' }, ['pnpm']],
  [{ age: 'week' }, ['pnpm', 'build']],
  [{ age: 'month' }, ['pnpm', 'bern', 'build']],
  [{ age: 'older' }, ['tea']],
  [{ locked: 'locked' }, ['bern']],
  [{ locked: 'open', origin: 'file' }, ['build']],
] satisfies [Partial<Filters>, string[]][])('the filter %o matches %o', ([filters, left]) => {
  const state = { filters: { ...noFilters, ...filters }, edits: {} }
  expect(ids(filterEntries(notes, state, now))).toEqual(left)
})

test('an entry being edited stays listed, even if filtered out or removed', () => {
  const tea = notes[2]!
  const edits = { tea: { entry: tea, before: tea.text, text: 'Tea', saving: false, problem: null } }
  const state = { ...initialMemory, view: view([]), edits, filters: { ...noFilters, query: 'nothing' } }
  expect(ids(filterEntries(entriesOf(state, 'memory'), state))).toEqual(['tea'])
})

test('entries are sorted newest first, and those of the same time in reverse file order', () => {
  const state = {
    ...initialMemory,
    view: view([
      entry({ id: 'a', createdAt: 1 }),
      entry({ id: 'b', createdAt: 1 }),
      entry({ id: 'c', createdAt: 2 }),
    ]),
  }
  expect(ids(entriesOf(state, 'user'))).toEqual(['c', 'b', 'a'])
})

test('removed entries are deselected, and the filter of a removed folder is cleared', () => {
  const before = { ...initialMemory, selected: new Set(['a', 'b']), filters: { ...noFilters, scope: 'p1' } }
  const after = withView(before, view([entry({ id: 'a' })]))
  expect([...after.selected]).toEqual(['a'])
  expect(after.filters.scope).toBe('all')
})

test('the capacity of a folder without notes is shown only if that folder is selected', () => {
  const room = { limit: 100, tokens: 0, firstToGo: [] }
  const capacity = [
    { target: 'user', project: null, used: 0, ...room },
    { target: 'memory', project: null, used: 0, ...room },
    { target: 'memory', project: 'p1', used: 0, ...room },
    { target: 'memory', project: 'p2', used: 9, ...room },
  ] as const
  const state = { ...initialMemory, view: view([], { capacity: [...capacity] }) }
  const places = (scope: string, target: 'user' | 'memory') =>
    capacitiesOf({ ...state, filters: { ...noFilters, scope } }, target).map(each => each.project)
  expect(places('all', 'memory')).toEqual([null, 'p2'])
  expect(places('p1', 'memory')).toEqual(['p1'])
  expect(places('p1', 'user')).toEqual([null])
})
