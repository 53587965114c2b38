import { useState } from 'react'
import { isTemporaryId } from '../../../shared/text/temporary-chats.ts'

/**
 * What was typed at one place and that the host may not have. `seen` are the texts of the host that this one was made from: when the
 * host still has one of them, this one is newer. `sending` was on its way when `turns` messages had been sent.
 */
export type Typed = { text: string; seen?: readonly string[]; sending?: string; turns?: number }

const PREFIX = 'talaria.typed.'
const OWN = 'talaria.window'
/** The name and the fragment of a page that was left, for the one that follows it in the same tab. A copy of a tab has none. */
const LEFT = 'talaria.window.left'

/** The page's storage works across reloads and crashes; without it texts live as long as the page. */
const inMemory = new Map<string, string>()
let own: string | undefined
/** The names of the windows that are open; undefined where the browser does not tell. */
let open: ReadonlySet<string> | undefined

const lockOf = (name: string) => `talaria.window.${name}`
const newName = () => crypto.randomUUID().slice(0, 8)

/** The storage of this tab, which a reload keeps and a copy of the tab gets, too; without it names end with the page. */
const tab = {
  read(key: string): string | null {
    try {
      return sessionStorage.getItem(key)
    } catch {
      return null
    }
  },
  write(key: string, value: string | null): void {
    try {
      if (value === null) sessionStorage.removeItem(key)
      else sessionStorage.setItem(key, value)
    } catch {
      // The browser forbids it.
    }
  },
}

function ownName(): string {
  if (own === undefined) takeName(tab.read(OWN) ?? newName())
  return own!
}

function takeName(name: string): void {
  own = name
  tab.write(OWN, name)
}

/**
 * Find out which window this is. A reload keeps the name; a copy of a tab gets another one. Texts of windows that are closed can be
 * taken over afterwards. Never rejects.
 */
export async function claimWindow(locks: LockManager | undefined = navigator.locks): Promise<void> {
  if (!locks) return
  // The page before this one may hold the name for a moment longer.
  const [left, hash = ''] = tab.read(LEFT)?.split(' ') ?? []
  const isNext = left === ownName()
  tab.write(LEFT, null)
  window.addEventListener('pagehide', () => tab.write(LEFT, `${ownName()} ${location.hash}`))
  window.addEventListener('pageshow', () => tab.write(LEFT, null))
  if (isNext && isReload()) showFragment(hash)
  if (isNext) void hold(locks, ownName(), {})
  else if (!(await hold(locks, ownName(), { ifAvailable: true }))) {
    takeName(newName())
    await hold(locks, ownName(), { ifAvailable: true })
  }
  await lookForWindows(locks)
  window.addEventListener('focus', () => void lookForWindows(locks))
}

const isReload = () =>
  performance.getEntriesByType('navigation').some(entry => 'type' in entry && entry.type === 'reload')

/** A reload that had begun when a new chat got its id comes to the address without it. It shows what the page before showed. */
function showFragment(hash: string): void {
  if (hash === location.hash) return
  history.replaceState(history.state, '', location.pathname + location.search + hash)
}

/** Hold the name of a window as long as the page lives. False when another page has it. */
function hold(locks: LockManager, name: string, how: LockOptions): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const forever = new Promise<void>(() => {})
  locks
    .request(lockOf(name), how, lock => {
      resolve(lock !== null)
      return lock ? forever : undefined
    })
    .catch(() => resolve(false))
  return promise
}

async function lookForWindows(locks: LockManager): Promise<void> {
  try {
    const { held = [] } = await locks.query()
    open = new Set(
      held.flatMap(({ name }) => (name?.startsWith(lockOf('')) ? [name.slice(lockOf('').length)] : [])),
    )
  } catch {
    open = undefined
  }
}

/** The storage of the page, or the page's memory where the browser forbids storage. */
function stored(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> & { keys(): string[] } {
  try {
    const storage = window.localStorage
    return {
      getItem: key => storage.getItem(key) ?? inMemory.get(key) ?? null,
      setItem(key, value) {
        try {
          storage.setItem(key, value)
          inMemory.delete(key)
        } catch {
          inMemory.set(key, value)
        }
      },
      removeItem(key) {
        storage.removeItem(key)
        inMemory.delete(key)
      },
      keys: () => [...Object.keys(storage), ...inMemory.keys()],
    }
  } catch {
    return {
      getItem: key => inMemory.get(key) ?? null,
      setItem: (key, value) => void inMemory.set(key, value),
      removeItem: key => void inMemory.delete(key),
      keys: () => [...inMemory.keys()],
    }
  }
}

const keyOf = (place: string, name = ownName()) => `${PREFIX}${name}.${place}`

/** The entries of a place in all windows, by the name of the window. */
function entriesOf(place: string): { name: string; key: string }[] {
  return stored()
    .keys()
    .filter(key => key.startsWith(PREFIX) && key.endsWith(`.${place}`))
    .map(key => ({ name: key.slice(PREFIX.length, -place.length - 1), key }))
    .filter(({ name }) => !name.includes('.'))
}

/** Other programs of this origin may write there, too. */
function read(key: string): Typed | undefined {
  try {
    const found = JSON.parse(stored().getItem(key) ?? 'null') as Partial<Typed> | null
    if (typeof found?.text !== 'string') return undefined
    const { text, seen, sending, turns } = found
    return {
      text,
      ...(Array.isArray(seen) && { seen: seen.filter(each => typeof each === 'string') }),
      ...(typeof sending === 'string' && { sending }),
      ...(typeof turns === 'number' && { turns }),
    }
  } catch {
    return undefined
  }
}

/** What this window typed at a place. */
export const readTyped = (place: string): Typed | undefined => read(keyOf(place))

/** Keep what is typed at a place until it was sent or dropped; undefined ends that. */
export function keepTyped(place: string, typed: Typed | undefined): void {
  const key = keyOf(place)
  // What is typed in a temporary chat lives as long as the page, since browsers keep what they removed for long.
  if (typed && isTemporaryId(place)) inMemory.set(key, JSON.stringify(typed))
  else if (typed) stored().setItem(key, JSON.stringify(typed))
  else stored().removeItem(key)
}

/** Take over what was typed at a place in windows that are closed now. It is theirs no longer. */
export function takeLeftTexts(place: string): readonly Typed[] {
  if (!open) return []
  const left = entriesOf(place).filter(({ name }) => name !== ownName() && !open?.has(name))
  return left.flatMap(({ key }) => {
    const typed = read(key)
    stored().removeItem(key)
    return typed ? [typed] : []
  })
}

/** Whether another open window has this text at a place. */
export const isTypedElsewhere = (place: string, text: string): boolean =>
  entriesOf(place).some(({ name, key }) => name !== ownName() && read(key)?.text === text)

/** The places of this window that begin so, and those of windows that are closed, with what was typed there. */
export function findTyped(prefix: string): { place: string; text: string }[] {
  const places = new Set(
    stored()
      .keys()
      .filter(key => key.startsWith(PREFIX))
      .map(key => key.slice(key.indexOf('.', PREFIX.length) + 1))
      .filter(place => place.startsWith(prefix)),
  )
  return [...places].flatMap(place => {
    const text = textAt(place)
    return text === '' ? [] : [{ place, text }]
  })
}

/** What is typed at a place, here or in a window that is closed; empty without anything. */
function textAt(place: string): string {
  const mine = readTyped(place)
  if (mine) return mine.text
  const left = takeLeftTexts(place).find(({ text }) => text !== '')
  if (left) keepTyped(place, left)
  return left?.text ?? ''
}

/** Text of a field that outlives the field, the page and a crash until it is as it was. Its place has a name of its own. */
export function useTyped(place: string, initial = ''): [string, (text: string) => void] {
  const [text, setText] = useState(() => textAt(place) || initial)
  return [
    text,
    next => {
      keepTyped(place, next === initial ? undefined : { text: next })
      setText(next)
    },
  ]
}
