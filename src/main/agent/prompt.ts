import type { ToolSpec } from '../llm/engine.ts'
import { demoPrompt } from './demo-prompt.ts'

/** What a frozen prompt is built from. Nothing here may change from turn to turn: that would cost the cached prefix. */
export type PromptParts = {
  frame: 'standard' | 'demo'
  /** `compact` is for windows of up to `COMPACT_TOKENS`. */
  edition: 'compact' | 'full'
  /** The text of SOUL.md, or empty for the built-in identity. */
  soul: string
  /** The tools as the strategy presents them; empty when they travel as data. */
  toolText: string
  tools: readonly ToolSpec[]
  workspace: string
  /** Instructions found in the workspace (AGENTS.md and the like), already capped. */
  project: { file: string; text: string } | undefined
  today: Date
}

/** Windows up to this many tokens get the compact edition. */
export const COMPACT_TOKENS = 8_192

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

const FULL_GUIDANCE = [
  ...COMPACT_GUIDANCE,
  'Do the whole task: look first, then act, then check what you did.',
  'Read a file before you change it. Prefer patch_file for small changes and write_file for new files.',
  'Prefer list_files, search_files and read_file to shell commands that do the same.',
  'Say plainly what you could not do or did not check.',
]

/** Build the system prompt of a session, once. White space is normalised, so that equal parts give equal bytes. */
export function buildPrompt(parts: PromptParts): string {
  if (parts.frame === 'demo') return demoPrompt({ tools: parts.tools, day: dayOf(parts.today) })
  const guidance = (parts.edition === 'compact' ? COMPACT_GUIDANCE : FULL_GUIDANCE).map(line => `- ${line}`)
  const sections = [
    parts.soul.trim() === '' ? IDENTITY : parts.soul,
    parts.toolText,
    parts.tools.length > 0 ? `## How you work\n${guidance.join('\n')}` : NO_TOOLS,
    parts.project ? `## About this project (from ${parts.project.file})\n${parts.project.text}` : '',
    `Today is ${dayOf(parts.today)}. The working folder is ${parts.workspace}.`,
  ]
  return normalise(sections.filter(section => section.trim() !== '').join('\n\n'))
}

/** The local day, such as 2026-11-21. */
export const dayOf = (date: Date): string => new Intl.DateTimeFormat('sv-SE').format(date)

/** Trailing spaces go, runs of blank lines become one, line endings are LF. */
const normalise = (text: string) =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
