import { basename, join } from 'node:path'
import type { Origin } from '../../shared/contract/chats/session.ts'
import { fillText } from '../../shared/text/fill-template.ts'
import { readFileStart } from '../lib/disk/read-file-start.ts'
import type { Guidance, PromptInput, PromptSection } from './prompt.ts'

/** The input of these sections. */
type OwnInput = Pick<PromptInput, 'edition' | 'tools' | 'toolText' | 'isDecided' | 'trained'> & {
  session: { workspace: string; origin?: Origin }
}

/** `home` is the folder of SOUL.md; without that file the built-in identity is used. */
type Sources = { home: string | undefined; now(): number }

/** Maximum characters of SOUL.md, by edition. */
const SOUL_LIMITS = { compact: 1_200, full: 8_000 }

const IDENTITY =
  'You are Talaria, an assistant that runs on this person’s own computer. You are helpful, direct and honest.'
const FACTS = 'Today is {day}. The working folder is {folder}.'

/** The sections of the agent itself: its identity, its tools, how it works, the day and the folder. */
export const ownSections = ({ home, now }: Sources): PromptSection<OwnInput>[] => [
  {
    name: 'identity',
    title: 'Who it is',
    order: 100,
    isTrained: true,
    async text({ edition, trained }) {
      const soul = home === undefined ? '' : await readFileStart(join(home, 'SOUL.md'), SOUL_LIMITS[edition])
      return soul === undefined || soul.trim() === '' ? (trained?.identity ?? IDENTITY) : soul
    },
  },
  { name: 'tools', title: 'Tools', order: 200, isTrained: true, text: ({ toolText }) => toolText },
  {
    name: 'guidance',
    title: 'How it works',
    order: 300,
    isTrained: true,
    text: ({ edition, tools, isDecided, trained }) =>
      isDecided ? DECIDED : guidanceText(trained?.guidance ?? GUIDANCE[edition], tools),
  },
  {
    name: 'facts',
    title: 'Day and folder',
    order: 1_200,
    isTrained: true,
    // A new day is not worth evaluating the whole prompt again.
    ignoredWhenStale: true,
    text: ({ session, trained }) =>
      factsText(trained?.sections.facts ?? FACTS, new Date(now()), shownFolder(session)),
  },
]

/** The chat's folder as its prompt names it. People on a messenger should not learn where files are. */
const shownFolder = ({ workspace, origin }: OwnInput['session']): string =>
  origin === 'messenger_other' ? basename(workspace) : workspace

/**
 * How to work with these tools, as text for the model.
 * @internal for the training of the built-in model
 */
export function guidanceText(
  { heading, lines, withoutTools }: Guidance,
  tools: readonly { name: string }[],
): string {
  if (tools.length === 0) return withoutTools
  const told = lines.filter(({ tool }) => tool === undefined || tools.some(({ name }) => name === tool))
  return [heading, ...told.map(({ text }) => `- ${text}`)].join('\n')
}

/** The local day, such as 2026-11-21. */
const dayOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => `${part}`.padStart(2, '0')).join('-')

/**
 * The day and the folder of a chat.
 * @internal for the training of the built-in model
 */
export const factsText = (words: string, today: Date, folder: string): string =>
  fillText(words, { day: dayOf(today), folder })

const forTool = (tool: string, ...lines: readonly string[]) => lines.map(text => ({ text, tool }))
const forAll = (...lines: readonly string[]) => lines.map(text => ({ text }))

const HEADING = '## How you work'
const NO_TOOLS =
  'This chat has no tools: you cannot look at files or run anything. Answer in the user’s language.'

const BOTH = forAll(
  'You have tools. Use one when the answer is on the computer; otherwise just answer.',
  'Answer from what a tool returned, never from what you expect it to return.',
  'When a call fails, read the reason and change something before you try again.',
  'When the user denies a call, accept it.',
  'Answer in the user’s language, briefly.',
)
const PAST = forTool(
  'session_search',
  'When the user refers to something from before that you do not see here, look for it with session_search before you ask.',
)

const COMPACT = [
  ...BOTH,
  ...forAll(
    'Act instead of describing: when a tool can do the next step, call it in this reply instead of saying what you would do.',
  ),
  ...forTool(
    'skill_view',
    'When a skill in the list fits the task, load it with skill_view before you begin, even for a task that you know.',
  ),
  ...forTool(
    'memory',
    'When you learn something lasting about the user, or are asked to remember, save it with memory, as a statement (“User prefers short answers”), never as an order. Say that something is saved only after the tool said so.',
  ),
  ...PAST,
  ...forTool(
    'skill_manage',
    'After a task that took several tries, offer to keep the way that worked as a skill. When a skill misled you or the user corrects it, patch it with skill_manage.',
    'When a skill was wrong when you used it, mend it with skill_manage before you end the turn.',
  ),
]

const FULL = [
  ...BOTH,
  ...forAll(
    'Do the whole task: look first, then act, then check what you did.',
    'Read a file before you change it. Prefer patch_file for small changes and write_file for new files.',
    'Prefer list_files, search_files and read_file to shell commands that do the same.',
    'Say plainly what you could not do or did not check.',
  ),
  ...forTool(
    'memory',
    'Save what will still be true and useful in weeks with memory: who the user is, what they prefer, how their work is set up, what they corrected. Write statements of fact (“User prefers short answers”), never orders (“Always be short”).',
    'Do not save what is only about this task, what can be looked up again, errors of the moment, guesses, or passwords and keys.',
    'When something saved turns out wrong, replace it. Say that something is saved only after the tool said so.',
  ),
  ...PAST,
  ...forTool(
    'skill_manage',
    'After a task that took many steps, several tries or a correction by the user, offer to keep the way that worked as a skill (skill_manage, create): general steps, not the story of this one time.',
    'When a skill that you loaded turned out wrong or incomplete, or the user says how it should be done instead, patch that skill with skill_manage before you end the turn.',
  ),
]

const DECIDED = [
  HEADING,
  '- When a message is about this computer, Talaria looks before you answer. What it found then stands in the chat.',
  '- Answer from what was found, never from what you expect. If nothing was looked at, say so.',
  '- Answer in the user’s language, briefly.',
].join('\n')

const GUIDANCE = {
  compact: { heading: HEADING, lines: COMPACT, withoutTools: NO_TOOLS },
  full: { heading: HEADING, lines: FULL, withoutTools: NO_TOOLS },
}

/** The sentences of a prompt in our own words: identity, how to work, day and folder. */
export function ownSentences(system: string): string {
  const guidance = /^## How you work\n(?:- .*(?:\n|$))+/m.exec(system)?.[0] ?? ''
  const facts = /^Today is \S+\. The working folder is .*\.$/m.exec(system)?.[0] ?? ''
  return [IDENTITY, NO_TOOLS, guidance, facts].join('\n')
}
