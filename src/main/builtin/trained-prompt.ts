import type { MemoryEntry } from '../../shared/contract/memory.ts'
import { tidySections, type ProjectFile, type PromptSection } from '../agent/prompt.ts'
import type { MemoryForChat } from '../memory/open-memory.ts'
import { datedText } from '../memory/passing/date-entry.ts'
import { fillText, knownTools, type TrainedTexts } from './trained-texts.ts'

/** What the prompt of a chat with the built-in model is made of. */
export type TrainedPromptParts = {
  /** The text of SOUL.md; empty for the built-in identity. */
  soul: string
  /** The tools of the chat, of which those are told that the model knows. */
  tools: readonly { name: string }[]
  /** The memory of the chat; undefined when chats do not use memory. */
  memory: MemoryForChat | undefined
  /** The index of skills; empty when chats do not use skills. */
  skills: string
  project: readonly Pick<ProjectFile, 'file' | 'text'>[]
  workspace: string
  today: Date
}

/** Build the system prompt of a chat with the built-in model, as sections in the words of its training. */
export function buildTrainedPrompt(texts: TrainedTexts, parts: TrainedPromptParts): PromptSection[] {
  const { soul, tools, memory, skills, project, workspace, today } = parts
  const { sections } = texts
  const files = project.map(({ file }) => file).join(', ')
  return tidySections([
    { name: 'identity', title: 'Who it is', text: soul.trim() === '' ? texts.identity : soul },
    { name: 'tools', title: 'Tools', text: presentTrainedTools(texts, tools) },
    { name: 'guidance', title: 'How it works', text: guidanceFor(texts, tools) },
    { name: 'user', title: 'About you', text: memory ? userSection(texts, memory) : '' },
    { name: 'memory', title: 'Its notes', text: memory ? notesSection(texts, memory) : '' },
    { name: 'skills', title: 'Skills', text: skills },
    {
      name: 'project',
      title: files === '' ? 'This folder' : `This folder (${files})`,
      text: project.map(({ file, text }) => `${fillText(sections.project, { file })}\n${text}`).join('\n\n'),
    },
    {
      name: 'facts',
      title: 'Day and folder',
      text: fillText(sections.facts, { day: DAY.format(today), folder: workspace }),
    },
  ])
}

/** A local day, such as 2026-11-21. */
const DAY = new Intl.DateTimeFormat('sv-SE')

/** The section of the prompt that tells of the tools that the model knows; empty where it knows none. */
export function presentTrainedTools(texts: TrainedTexts, tools: readonly { name: string }[]): string {
  const lines = knownTools(texts, tools).map(({ line }) => line)
  return lines.length === 0 ? '' : `${texts.tools.opening}${lines.join('\n')}`
}

function guidanceFor(texts: TrainedTexts, tools: readonly { name: string }[]): string {
  const { heading, lines, withoutTools } = texts.guidance
  const known = new Set(knownTools(texts, tools).map(({ name }) => name))
  if (known.size === 0) return withoutTools
  const told = lines.filter(({ tool }) => tool === undefined || known.has(tool))
  return [heading, ...told.map(({ text }) => `- ${text}`)].join('\n')
}

const userSection = (texts: TrainedTexts, { user, capacity }: MemoryForChat): string =>
  listed(texts, texts.sections.user, user, capacity.user)

const notesSection = (texts: TrainedTexts, { notes, project, capacity }: MemoryForChat): string =>
  [
    listed(texts, texts.sections.notes, notes, capacity.memory),
    listed(texts, texts.sections.folderNotes, project),
  ]
    .filter(part => part !== '')
    .join('\n\n')

/** Entries below a heading; the lines of an entry are indented under its bullet. */
function listed(
  { sections }: TrainedTexts,
  heading: string,
  entries: readonly MemoryEntry[],
  room = { used: 0, limit: 1 },
): string {
  if (entries.length === 0) return ''
  const share = `${Math.round((room.used / room.limit) * 100)}`
  const lines = entries.map(entry => {
    const shown = entry.blocked === null ? datedText(entry) : sections.blocked
    return `- ${shown.replaceAll('\n', '\n  ')}`
  })
  return [fillText(heading, { share }), ...lines].join('\n')
}
