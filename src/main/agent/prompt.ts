import type { ToolSpec } from '../models/engine.ts'

/** The parts of a frozen prompt. None may change from turn to turn, because that would invalidate the cached prefix. */
export type PromptParts = {
  /** `compact` is for context windows of up to `COMPACT_TOKENS`. */
  edition: 'compact' | 'full'
  /** The text of SOUL.md; empty for the built-in identity. */
  soul: string
  /** The tools as text from the strategy; empty when they are sent as data. */
  toolText: string
  tools: readonly ToolSpec[]
  workspace: string
  /** Instructions found in the workspace (such as AGENTS.md), already cut to their limit. */
  project: readonly ProjectFile[]
  /** The memory as prompt sections; undefined when chats do not use memory. */
  memory: PromptMemory | undefined
  /** The index of skills; empty when chats do not use skills. */
  skills: string
  /** The MCP servers that bring more tools; empty without any. */
  connections?: string
  /** What the user wrote for the project of this chat, and for this chat alone, already cut to their limits; empty for nothing. */
  projectInstructions?: { project: string; text: string }
  instructions?: string
  /** The style of answering that was chosen for this chat; empty for none. */
  style: string
  today: Date
}

/** A file of instructions; `place` says how it stands to the others: nearer than those before it, or named by another. */
export type ProjectFile = {
  file: string
  text: string
  place?: { kind: 'nearer' } | { kind: 'named'; by: string }
}

/** Either may be empty. */
export type PromptMemory = { user: string; notes: string }

const IDENTITY =
  'You are Talaria, an assistant that runs on this person’s own computer. You are helpful, direct and honest.'

const NO_TOOLS =
  'This chat has no tools: you cannot look at files or run anything. Answer in the user’s language.'

const COMPACT_GUIDANCE = [
  'You have tools. Use one when the answer is on the computer; otherwise just answer.',
  'Answer from what a tool returned, never from what you expect it to return.',
  'When a call fails, read the reason and change something before you try again.',
  'When the user denies a call, accept it.',
  'Answer in the user’s language, briefly.',
]

const COMPACT_MEMORY = [
  'When you learn something lasting about the user, or are asked to remember, save it with memory, as a statement (“User prefers short answers”), never as an order. Say that something is saved only after the tool said so.',
]

const FULL_MEMORY = [
  'Save what will still be true and useful in weeks with memory: who the user is, what they prefer, how their work is set up, what they corrected. Write statements of fact (“User prefers short answers”), never orders (“Always be short”).',
  'Do not save what is only about this task, what can be looked up again, errors of the moment, guesses, or passwords and keys.',
  'When something saved turns out wrong, replace it. Say that something is saved only after the tool said so.',
]

const PAST =
  'When the user refers to something from before that you do not see here, look for it with session_search before you ask.'

const COMPACT_SKILLS = [
  'After a task that took several tries, offer to keep the way that worked as a skill. When a skill misled you or the user corrects it, patch it with skill_manage.',
]

const FULL_SKILLS = [
  'After a task that took many steps, several tries or a correction by the user, offer to keep the way that worked as a skill (skill_manage, create): general steps, not the story of this one time.',
  'When a skill that you loaded turned out wrong or incomplete, or the user says how it should be done instead, patch that skill with skill_manage before you end the turn.',
]

const MORE_COMPACT_GUIDANCE = [
  'Act instead of describing: when a tool can do the next step, call it in this reply instead of saying what you would do.',
]
const COMPACT_USE_OF_SKILLS =
  'When a skill in the list fits the task, load it with skill_view before you begin, even for a task that you know.'
const COMPACT_MENDING = [
  'When a skill was wrong when you used it, mend it with skill_manage before you end the turn.',
]

const FULL_GUIDANCE = [
  ...COMPACT_GUIDANCE,
  'Do the whole task: look first, then act, then check what you did.',
  'Read a file before you change it. Prefer patch_file for small changes and write_file for new files.',
  'Prefer list_files, search_files and read_file to shell commands that do the same.',
  'Say plainly what you could not do or did not check.',
]

/** One part of the prompt; `title` is shown to the user. */
export type PromptSection = { name: SectionName; title: string; text: string }
type SectionName =
  | 'identity'
  | 'tools'
  | 'guidance'
  | 'user'
  | 'memory'
  | 'skills'
  | 'connections'
  | 'project'
  | 'project_instructions'
  | 'instructions'
  | 'style'
  | 'facts'

/**
 * Build the system prompt of a session once, as sections that are joined by a blank line.
 */
export function buildPrompt(parts: PromptParts): PromptSection[] {
  const {
    soul,
    toolText,
    project,
    memory,
    skills,
    connections = '',
    style,
    today,
    workspace,
    instructions = '',
  } = parts
  const ofProject = parts.projectInstructions ?? { project: '', text: '' }
  const sections: PromptSection[] = [
    { name: 'identity', title: 'Who it is', text: soul.trim() === '' ? IDENTITY : soul },
    { name: 'tools', title: 'Tools', text: toolText },
    { name: 'guidance', title: 'How it works', text: guidanceFor(parts) },
    { name: 'user', title: 'About you', text: memory?.user ?? '' },
    { name: 'memory', title: 'Its notes', text: memory?.notes ?? '' },
    { name: 'skills', title: 'Skills', text: skills },
    { name: 'connections', title: 'Connections', text: connections },
    {
      name: 'project',
      title: project.length > 0 ? `This folder (${namesOf(project)})` : 'This folder',
      text: projectText(project),
    },
    {
      name: 'project_instructions',
      title: `Instructions of the project “${ofProject.project}”`,
      text: under('## Instructions of the user for this project', ofProject.text),
    },
    {
      name: 'instructions',
      title: 'Instructions of this chat',
      text: under('## Instructions of the user for this chat, which count before those above', instructions),
    },
    {
      name: 'style',
      title: 'How it answers',
      text: under('## How to answer in this chat', style),
    },
    {
      name: 'facts',
      title: 'Day and folder',
      text: `Today is ${dayOf(today)}. The working folder is ${workspace}.`,
    },
  ]
  return tidySections(sections)
}

/** The sections that hold something, with normalised white space, so that equal parts give equal bytes. */
export const tidySections = (sections: readonly PromptSection[]): PromptSection[] =>
  sections
    .map(section => ({ ...section, text: normalise(section.text) }))
    .filter(section => section.text !== '')

const under = (heading: string, text: string) => (text.trim() === '' ? '' : `${heading}\n${text}`)

const MOST_NAMES = 4

function namesOf(files: readonly ProjectFile[]): string {
  const more = files.length - MOST_NAMES
  const names = files.slice(0, MOST_NAMES).map(({ file }) => file)
  return [...names, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

/** What a folder says to agents, as one text. */
export const projectText = (files: readonly ProjectFile[]): string => files.map(textOfProject).join('\n\n')

/** A folder's `SOUL.md` is not the identity, so its heading says that it is about this project alone. */
function textOfProject({ file, text, place }: ProjectFile): string {
  if (file === 'SOUL.md') return `## How to sound in this project (from SOUL.md of its folder)\n${text}`
  if (place?.kind === 'named') return `### ${file}, which ${place.by} names\n${text}`
  const nearer = place ? ', which counts before those above' : ''
  return `## About this project (from ${file}${nearer})\n${text}`
}

/** The prompt as one text. */
export const joinSections = (sections: readonly { text: string }[]): string =>
  sections.map(section => section.text).join('\n\n')

function guidanceFor({ tools, edition }: PromptParts): string {
  if (tools.length === 0) return NO_TOOLS
  const has = (name: string) => tools.some(tool => tool.name === name)
  const lines = edition === 'compact' ? COMPACT_GUIDANCE : FULL_GUIDANCE
  const memory = edition === 'compact' ? COMPACT_MEMORY : FULL_MEMORY
  const skills = edition === 'compact' ? COMPACT_SKILLS : FULL_SKILLS
  const isCompact = edition === 'compact'
  const more = [
    ...(isCompact ? MORE_COMPACT_GUIDANCE : []),
    ...(isCompact && has('skill_view') ? [COMPACT_USE_OF_SKILLS] : []),
    ...(has('memory') ? memory : []),
    ...(has('session_search') ? [PAST] : []),
    ...(has('skill_manage') ? skills : []),
    ...(isCompact && has('skill_manage') ? COMPACT_MENDING : []),
  ]
  return `## How you work\n${[...lines, ...more].map(line => `- ${line}`).join('\n')}`
}

/** The local day, such as 2026-11-21. */
const dayOf = (date: Date): string =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map(part => `${part}`.padStart(2, '0')).join('-')

/** Trim trailing spaces, collapse blank lines, use LF. */
const normalise = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** What a prompt says in our own words about how to work, where and when: nothing of the user, of memory or of a project. */
export function ownSentences(system: string): string {
  const guidance = /^## How you work\n(?:- .*(?:\n|$))+/m.exec(system)?.[0] ?? ''
  const facts = /^Today is \S+\. The working folder is .*\.$/m.exec(system)?.[0] ?? ''
  return [IDENTITY, NO_TOOLS, guidance, facts].join('\n')
}
