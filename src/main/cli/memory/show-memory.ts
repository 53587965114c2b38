import { styleText } from 'node:util'
import type {
  MemoryEntry,
  MemoryRevision,
  MemoryCapacity,
  MemoryProject,
  MemoryView,
} from '../../../shared/contract/learned/memory.ts'
import { waitingWords } from '../../../shared/words/waiting-words.ts'
import { escapeInvisible, momentOf } from '../output/terminal-text.ts'
import { undoNotes } from '../output/show-changes.ts'

/** The entries of one place. */
export type PlaceView = {
  capacity: MemoryCapacity
  project: MemoryProject | undefined
  entries: MemoryEntry[]
}

const SHOWN = 6

/** The end of an id, enough to distinguish entries. */
export const shortId = (id: string): string => id.slice(-SHOWN)

const dim = (text: string) => styleText('dim', text, { stream: process.stdout })
const count = (number: number) => number.toLocaleString('en')
/** Indent the further lines of an entry. */
const indented = (text: string, by: number) => escapeInvisible(text).replaceAll('\n', `\n${' '.repeat(by)}`)

/** Entries as text, grouped by place. */
export const showEntries = (places: readonly PlaceView[]): string =>
  places
    .filter(({ entries, project }) => entries.length > 0 || !project)
    .map(place => [headOf(place), ...place.entries.map(lineOf)].join('\n'))
    .join('\n\n') || 'Nothing remembered.'

function headOf({ capacity, project, entries }: PlaceView): string {
  const name =
    capacity.target === 'user'
      ? 'About you'
      : project
        ? `Notes for ${escapeInvisible(project.folder || project.name)}`
        : 'Notes'
  const used = `${count(capacity.used)} of ${count(capacity.limit)} characters`
  return `${name}  ${dim(entries.length === 0 ? '(empty)' : used)}`
}

function lineOf({ id, text, locked, blocked }: MemoryEntry): string {
  const marks = [locked && 'locked', blocked !== null && `hidden from the model: it ${blocked}`].filter(
    Boolean,
  )
  const mark = marks.length > 0 ? dim(`  (${marks.join('; ')})`) : ''
  return `  ${shortId(id)}  ${indented(text, SHOWN + 4)}${mark}`
}

const DEEDS: Record<MemoryRevision['op'], string> = {
  add: 'added',
  edit: 'changed',
  remove: 'removed',
  restore: 'restored',
  move: 'moved',
  lock: 'locked',
  unlock: 'unlocked',
}

const ACTORS: Record<MemoryRevision['actor'], string> = {
  you: 'you',
  agent: 'the agent',
  review: 'a review',
  file: 'another program',
  import: 'an import',
}

/** Changes as text, with their numbers. */
export const showRevisions = (revisions: readonly MemoryRevision[]): string =>
  revisions.map(showRevision).join('\n') || 'No changes yet.'

function showRevision(revision: MemoryRevision): string {
  const { id, entryId, op, before, after, actor, at, mergeId } = revision
  const deed = `${DEEDS[op]}${mergeId === null ? '' : ' in a merge'}`
  const head = `${id}  ${momentOf(at)}  ${shortId(entryId)}  ${deed} by ${ACTORS[actor]}${undoNotes(revision)}`
  // Locking an entry does not change its text.
  const lines = before === after ? [] : [before !== null && `- ${before}`, after !== null && `+ ${after}`]
  const texts = lines.filter(line => line !== false)
  return [head, ...texts.map(line => `    ${indented(line, 6)}`)].join('\n')
}

/** Lines about the files that wait for a choice; empty if there are none. */
export const waitingLines = ({ waiting }: Pick<MemoryView, 'waiting'>): string[] =>
  waiting.length === 0
    ? []
    : [
        ...waiting.map(file => escapeInvisible(waitingWords(file, file.path))),
        'To see them and choose: talaria memory settle',
      ]
