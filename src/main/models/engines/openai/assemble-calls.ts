import { randomUUID } from 'node:crypto'
import { type Fields } from '../../../lib/json-fields.ts'

/** A fragment of a tool call as the server sent it; every part may be missing. */
type CallFragment = {
  index?: number
  id?: string
  name?: string
  argumentsText?: string
  /** Further fields of the call, which are sent back with it. */
  extra?: Fields
}

/** A complete tool call; `argumentsText` is what the model wrote. */
type AssembledCall = { id: string; name: string; argumentsText: string; extra: Fields }

/** A call being assembled. `pieces`: fragments with arguments. `grows`: each began with the one before. */
type Slot = AssembledCall & { index: number | undefined; pieces: number; grows: boolean; newest: string }

/**
 * Join the fragments of the tool calls of one reply. The protocol pairs them by index, but some servers omit
 * the index or send 0 for every call (ollama/ollama issues 7881 and 15457). So ids, names and complete
 * arguments also mark where one call ends and the next starts.
 */
export function assembleCalls() {
  const slots: Slot[] = []

  return {
    add(fragment: CallFragment): void {
      const slot = slotOf(slots, fragment) ?? open(slots, fragment.index)
      if (fragment.id && slot.id === '') slot.id = fragment.id
      if (fragment.name) slot.name = joinName(slot, fragment.name)
      addArguments(slot, fragment.argumentsText ?? '')
      Object.assign(slot.extra, fragment.extra)
    },
    /**
     * Return the calls in the order in which they started. A `cut` call without any arguments is dropped: it
     * must not run without them.
     */
    calls(cut: boolean): AssembledCall[] {
      const used = new Set<string>()
      return slots
        .filter(slot => slot.name !== '' || slot.argumentsText !== '')
        .filter(slot => !cut || slot.argumentsText.trim() !== '')
        .map(slot => {
          const { id, name, extra } = slot
          const argumentsText = argumentsOf(slot)
          const unique = id === '' || used.has(id) ? newCallId() : id
          used.add(unique)
          const given = argumentsText.trim() === '' ? '{}' : argumentsText
          return { id: unique, name, argumentsText: given, extra }
        })
    },
  }
}

/** Create an id of nine letters and digits, the only form that every server accepts in a later request. */
const newCallId = () => randomUUID().replaceAll('-', '').slice(0, 9)

function open(slots: Slot[], index: number | undefined): Slot {
  const slot = { index, id: '', name: '', argumentsText: '', extra: {}, pieces: 0, grows: true, newest: '' }
  slots.push(slot)
  return slot
}

/** Return the call that a fragment continues; undefined if it starts a new one. */
function slotOf(slots: Slot[], { index, id, name }: CallFragment): Slot | undefined {
  const known = id
    ? slots.findLast(slot => slot.id === id && (index === undefined || slot.index === index))
    : undefined
  if (known) return known
  const last = index === undefined ? slots.at(-1) : slots.findLast(slot => slot.index === index)
  // A fragment without a name can only be a continuation, even if the server makes up a new id for each.
  if (!last || !name) return last
  if (id && last.id !== '') return undefined
  if (last.name === '') return last
  return isComplete(last.argumentsText) || (index === undefined && last.name !== name) ? undefined : last
}

function addArguments(slot: Slot, piece: string): void {
  if (piece === '') return
  slot.argumentsText += piece
  slot.grows &&= piece.startsWith(slot.newest)
  slot.newest = piece
  slot.pieces++
}

/** Return the arguments. Some servers send all arguments so far in each piece; only the newest is JSON. */
function argumentsOf({ argumentsText, pieces, grows, newest }: Slot): string {
  const isWhole = pieces > 1 && grows && !isComplete(argumentsText) && isComplete(newest)
  return isWhole ? newest : argumentsText
}

/** Add to the name. It may arrive in pieces, be repeated in every fragment, or grow with each fragment. */
function joinName(slot: Slot, name: string): string {
  if (name === slot.name || slot.argumentsText !== '') return slot.name || name
  return name.startsWith(slot.name) ? name : slot.name + name
}

function isComplete(argumentsText: string): boolean {
  try {
    JSON.parse(argumentsText)
    return true
  } catch {
    return false
  }
}
