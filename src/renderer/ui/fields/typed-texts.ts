import { useState } from 'react'
import { isTemporaryId } from '../../../shared/text/temporary-chats.ts'

/**
 * Text typed in one field that the host may not have. `seen`: the texts of the host that it was based on; if
 * the host still has one of them, this text is newer. `sending`: text that was being sent when `turns`
 * messages had been sent.
 */
export type Typed = { text: string; seen?: readonly string[]; sending?: string; turns?: number }

const PREFIX = 'talaria.typed.'
const OWN = 'talaria.window'
/**
 * The storage key for the name and fragment of a page that was left, for the next page in the same tab. A
 * duplicated tab has none.
 */
const LEFT = 'talaria.window.left'

/** Local storage survives reloads and crashes; without it, texts live as long as the page. */
const inMemory = new Map<string, string>()
let own: string | undefined
/** The names of the open windows; undefined if the browser does not report them. */
let open: ReadonlySet<string> | undefined

const lockOf = (name: string) => `talaria.window.${name}`
const newName = () => crypto.randomUUID().slice(0, 8)

/** The tab's storage. A reload keeps it; a duplicated tab copies it. Without it, names end with the page. */
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
 * Determine the name of this window. A reload keeps the name; a duplicated tab gets a new one. Afterwards,
 * texts of closed windows can be taken over. Never rejects.
 */
export async function claimWindow(locks: LockManager | undefined = navigator.locks): Promise<void> {
  if (!locks) return
  // The previous page may hold the name a moment longer.
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

/** Show what the previous page showed: a reload may have started before a new chat got its id. */
function showFragment(hash: string): void {
  if (hash === location.hash) return
  history.replaceState(history.state, '', location.pathname + location.search + hash)
}

/** Hold the name of a window as long as the page lives. False if another page has it. */
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

/** Local storage, or the page's memory if the browser forbids storage. */
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

/** The entries of a field in all windows, by the name of the window. */
function entriesOf(place: string): { name: string; key: string }[] {
  return stored()
    .keys()
    .filter(key => key.startsWith(PREFIX) && key.endsWith(`.${place}`))
    .map(key => ({ name: key.slice(PREFIX.length, -place.length - 1), key }))
    .filter(({ name }) => !name.includes('.'))
}

/** Other programs of this origin may write to the storage too. */
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

/** The text typed in a field of this window. */
export const readTyped = (place: string): Typed | undefined => read(keyOf(place))

/** Keep the text typed in a field until it is sent or discarded; undefined removes it. */
export function keepTyped(place: string, typed: Typed | undefined): void {
  const key = keyOf(place)
  // Text in a temporary chat lives only as long as the page: browsers keep removed data for long.
  if (typed && isTemporaryId(place)) inMemory.set(key, JSON.stringify(typed))
  else if (typed) stored().setItem(key, JSON.stringify(typed))
  else stored().removeItem(key)
}

/** Take over the texts that closed windows left in a field. They are removed there. */
export function takeLeftTexts(place: string): readonly Typed[] {
  if (!open) return []
  const left = entriesOf(place).filter(({ name }) => name !== ownName() && !open?.has(name))
  return left.flatMap(({ key }) => {
    const typed = read(key)
    stored().removeItem(key)
    return typed ? [typed] : []
  })
}

/** Whether another open window has this text in a field. */
export const isTypedElsewhere = (place: string, text: string): boolean =>
  entriesOf(place).some(({ name, key }) => name !== ownName() && read(key)?.text === text)

/** The fields of this window and of closed windows whose names start with a prefix, with their texts. */
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

/** The text typed in a field, here or in a closed window; empty if none. */
function textAt(place: string): string {
  const mine = readTyped(place)
  if (mine) return mine.text
  const left = takeLeftTexts(place).find(({ text }) => text !== '')
  if (left) keepTyped(place, left)
  return left?.text ?? ''
}

/**
 * The text of a field. While it differs from its initial value, it survives the field, a reload and a crash.
 * `place` is the unique name of the field.
 */
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
