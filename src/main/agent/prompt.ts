import type { PromptSection as ShownSection, TurnSubject } from '../../shared/contract/chats/session.ts'
import type { ToolSpec } from '../models/interface/engine.ts'

/**
 * One section of the prompt of a chat, with all that is to be known of it. Each feature brings its own; `host.ts` puts them
 * together. A prompt is frozen for its chat, so a text that another turn would change belongs elsewhere.
 */
export type PromptSection<Input = PromptInput> = {
  name: string
  /** What a person reads above it. */
  title: string
  /** Its place among the others: ours are at 100, 200, … 1,200. */
  order: number
  /** What it says in a new prompt. */
  text(this: void, input: Input): SectionText | Promise<SectionText>
  /** The built-in model was trained on prompts with it. That model gets no other sections. */
  isTrained?: true
  /** A change of this section alone does not offer the chat a new prompt. */
  ignoredWhenStale?: true
  /** Whether a stored text may be sent again; without it, any may. Where one may not, the prompt is built anew. */
  isSafe?(this: void, text: string): boolean
}

/** The text of a section, empty for nothing; `title` says more than that of the section, `onStored` hears that a chat got it. */
type SectionText =
  | string
  | { text: string; title?: string | undefined; leftOut?: LeftOut | undefined; onStored?: () => void }

/** What did not enter a section, and why. */
export type LeftOut = NonNullable<ShownSection['leftOut']>

/** What the sections of a prompt are written for. */
export type PromptInput = {
  session: TurnSubject
  /** What counts for the chat, of the options that parts of the host bring. */
  options: Readonly<Record<string, unknown>>
  /** `compact` is for small context windows. */
  edition: 'compact' | 'full'
  contextTokens: number
  /** The tools that the model is told of. */
  tools: readonly ToolSpec[]
  /** The same as text from the strategy; empty when they are sent as data. */
  toolText: string
  /** Calls are begun for the model, so its prompt names no tools. */
  isDecided?: true
  /** The words of the built-in model’s training, for a chat with it. */
  trained: TrainedWords | undefined
}

/** Words for a model that knows only those of its training; places such as `{day}` are filled in. */
export type TrainedWords = {
  identity: string
  guidance: Guidance
  sections: Record<'user' | 'notes' | 'folderNotes' | 'blocked' | 'project' | 'facts', string> & {
    skills: { head: string; byName: string; byCategory: string }
  }
}

/** How to work, line by line; a line with a tool is for chats that have it. */
export type Guidance = {
  heading: string
  lines: readonly { text: string; tool?: string | undefined }[]
  withoutTools: string
}

/** A section of a prompt as it is stored and sent. */
export type PromptText = { name: string; title: string; text: string }

/** What a section came to; `text` is empty where it says nothing. */
type BuiltSection = PromptText & { section: PromptSection<never>; leftOut?: LeftOut; onStored?: () => void }

/** Ask every section for its text, in their order. Texts have normalised white space, so that equal parts give equal bytes. */
export async function buildPrompt<Input extends Pick<PromptInput, 'trained'>>(
  sections: readonly PromptSection<Input>[],
  input: Input,
): Promise<BuiltSection[]> {
  const inOrder = sections.toSorted((a, b) => a.order - b.order)
  return Promise.all(
    inOrder.map(async section => {
      const written = await section.text(input)
      const { text, title, leftOut, onStored } = typeof written === 'string' ? { text: written } : written
      const isKnown = input.trained === undefined || section.isTrained === true
      return {
        section,
        name: section.name,
        title: title ?? section.title,
        text: isKnown ? tidyText(text) : '',
        ...(leftOut && { leftOut }),
        ...(onStored && { onStored }),
      }
    }),
  )
}

/** The sections that say something, as they are stored. */
export const spokenSections = (built: readonly PromptText[]): PromptText[] =>
  built.filter(({ text }) => text !== '').map(({ name, title, text }) => ({ name, title, text }))

/** The prompt as one text. */
export const joinSections = (sections: readonly { text: string }[]): string =>
  sections
    .filter(({ text }) => text !== '')
    .map(({ text }) => text)
    .join('\n\n')

/**
 * Trim trailing spaces, collapse blank lines, use LF.
 * @internal for the training of the built-in model
 */
export const tidyText = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/(?<![ \t])[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()

/** A text below its heading; empty when it says nothing. */
export const underHeading = (heading: string, text: string): string =>
  text.trim() === '' ? '' : `${heading}\n${text}`
