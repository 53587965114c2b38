import type { TurnSubject } from '../../../shared/contract/chats/session.ts'
import { underHeading, type LeftOut, type PromptInput, type PromptSection } from '../../agent/prompt.ts'
import { isRefusal } from '../../lib/expected-errors.ts'
import { folderSection } from './folder-section.ts'
import { findPersonality } from './personalities.ts'

type Sources = Parameters<typeof folderSection>[0] & {
  projects: {
    of(this: void, session: TurnSubject): { name: string; instructions: string } | undefined
  }
}

/** Maximum characters of instructions, by edition. */
const LIMITS = { compact: 2_000, full: 8_000 }

/** The prompt sections set for one chat: its folder, its project, its own instructions and its style. */
export const chatSections = ({ projects, ...sources }: Sources): PromptSection[] => [
  folderSection(sources),
  {
    name: 'project_instructions',
    title: 'Instructions of the project',
    order: 900,
    text(input) {
      const { name, instructions } = projects.of(input.session) ?? { name: '', instructions: '' }
      return {
        ...asWritten('## Instructions of the user for this project', instructions, input),
        title: `Instructions of the project “${name}”`,
      }
    },
  },
  {
    name: 'instructions',
    title: 'Instructions of this chat',
    order: 1_000,
    text: input =>
      asWritten(
        '## Instructions of the user for this chat, which count before those above',
        input.session.instructions,
        input,
      ),
  },
  {
    name: 'style',
    title: 'How it answers',
    order: 1_100,
    async text({ session, trained }) {
      if (session.personality === '' || trained) return ''
      const found = await findPersonality(sources.home, session.personality)
      // The style's file may be gone or unusable by now.
      return isRefusal(found) ? '' : underHeading('## How to answer in this chat', found.text)
    },
  },
]

/** Instructions of the user, cut to the limit, and what was left out. */
function asWritten(
  heading: string,
  written: string,
  { edition, trained }: PromptInput,
): { text: string; leftOut: LeftOut | undefined } {
  if (trained) return { text: '', leftOut: written === '' ? undefined : UNTRAINED }
  const limit = LIMITS[edition]
  if (written.length <= limit) return { text: underHeading(heading, written), leftOut: undefined }
  const cut = `${written.slice(0, limit).toWellFormed()}\n[cut here: the instructions go on]`
  const text = `its end: only the first ${limit.toLocaleString('en-US')} characters fit.`
  return { text: underHeading(heading, cut), leftOut: { text, untrusted: false } }
}

const UNTRAINED: LeftOut = {
  text: 'all of it, because the built-in model was not trained to follow instructions.',
  untrusted: false,
}
