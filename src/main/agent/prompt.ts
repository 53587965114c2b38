import type { PromptSection as ShownSection, TurnSubject } from '../../shared/contract/chats/session.ts'
import type { ToolSpec } from '../models/interface/engine.ts'

/**
 * One section of a chat's prompt, with all its properties. Each feature brings its own sections; `host.ts`
 * assembles them. A prompt is frozen for its chat, so text that another turn would change belongs elsewhere.
 */
export type PromptSection<Input = PromptInput> = {
  name: string
  /** The heading above the section, for the user. */
  title: string
  /** The sort key of the section; ours are 100, 200, … 1,200. */
  order: number
  /** The text of the section in a new prompt. */
  text(this: void, input: Input): SectionText | Promise<SectionText>
  /** The built-in model was trained on prompts with this section. That model gets no other sections. */
  isTrained?: true
  /** If only this section changes, the chat is not offered a new prompt. */
  ignoredWhenStale?: true
  /** Whether a stored text may be sent again; by default it may. An unsafe text causes a new prompt. */
  isSafe?(this: void, text: string): boolean
}

/** The text of a section; empty for none. `title` replaces its title. `onStored`: called once stored. */
type SectionText =
  | string
  | { text: string; title?: string | undefined; leftOut?: LeftOut | undefined; onStored?: () => void }

/** The text that was left out of a section, and why. */
export type LeftOut = NonNullable<ShownSection['leftOut']>

/** The input of the sections of a prompt. */
export type PromptInput = {
  session: TurnSubject
  /** The chat's values of options that features of the host declare. */
  options: Readonly<Record<string, unknown>>
  /** `compact` is for small context windows. */
  edition: 'compact' | 'full'
  contextTokens: number
  /** The tools that the prompt describes. */
  tools: readonly ToolSpec[]
  /** The tools as text from the strategy; empty if they are sent as data. */
  toolText: string
  /** A step begins the calls for the model, so its prompt names no tools. */
  isDecided?: true
  /** The words of the built-in model’s training, for a chat with that model. */
  trained: TrainedWords | undefined
}

/** Words for a model that knows only those of its training; placeholders such as `{day}` are filled in. */
export type TrainedWords = {
  identity: string
  guidance: Guidance
  sections: Record<'user' | 'notes' | 'folderNotes' | 'blocked' | 'project' | 'facts', string> & {
    skills: { head: string; byName: string; byCategory: string }
  }
}

/** How to work, line by line. A line with a tool is only for chats that have the tool. */
export type Guidance = {
  heading: string
  lines: readonly { text: string; tool?: string | undefined }[]
  withoutTools: string
}

/** A section of a prompt as it is stored and sent. */
export type PromptText = { name: string; title: string; text: string }

/** The outcome of a section; `text` is empty if the section says nothing. */
type BuiltSection = PromptText & { section: PromptSection<never>; leftOut?: LeftOut; onStored?: () => void }

/** Ask every section for its text, in order. White space is normalised, so equal parts give equal bytes. */
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

/** The sections with text, in the form in which they are stored. */
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

/** A text below its heading; empty if the text is empty. */
export const underHeading = (heading: string, text: string): string =>
  text.trim() === '' ? '' : `${heading}\n${text}`
