import { fillText } from '../../../shared/text/fill-template.ts'
import type { LeftOut, PromptSection } from '../../agent/prompt.ts'
import { redactText } from '../../untrusted/redact.ts'
import { unsafeReason } from '../../untrusted/unsafe-text.ts'
import { readInstructions, type ProjectFile } from '../instruction-files/read-instructions.ts'

type Sources = {
  /** Talaria's home. */
  home: string
  /** Whether the user trusts a folder, so that its text for agents may enter a prompt. */
  trusts(this: void, folder: string): boolean
}

/** Maximum characters of a folder's text for agents, by edition. */
const LIMITS = { compact: 1_500, full: 12_000 }
const MOST_NAMES = 4

/** The name of the section for the folder. */
export const FOLDER_SECTION = 'project'

/** The prompt section with the text for agents in the chat's folders, such as AGENTS.md. */
export const folderSection = (sources: Sources): PromptSection => ({
  name: FOLDER_SECTION,
  title: 'This folder',
  order: 800,
  isTrained: true,
  async text({ session, edition, trained }) {
    const { files, leftOut } = await safeFiles(sources, session.workspace, LIMITS[edition])
    return {
      text: trained ? trainedFolderText(trained.sections.project, files) : folderText(files),
      title: files.length > 0 ? `This folder (${namesOf(files)})` : undefined,
      leftOut,
    }
  },
  isSafe: text => unsafe(text) === undefined,
})

const unsafe = (text: string) => unsafeReason(text, 'project')

/** The text for agents in the chat's folders, if it is trusted and safe; and what was left out. */
async function safeFiles(
  { home, trusts }: Sources,
  workspace: string,
  limit: number,
): Promise<{ files: readonly ProjectFile[]; leftOut: LeftOut | undefined }> {
  const read = await readInstructions(workspace, limit, { home, trusts, unsafe })
  const files = read.files.map(each => ({ ...each, text: redactText(each.text) }))
  // Parts that are harmless alone may be an attack together, with or without the headings between them.
  const together =
    files.length === 0
      ? undefined
      : (unsafe(folderText(files)) ?? unsafe(files.map(({ text }) => text).join('\n')))
  const reasons =
    together === undefined
      ? read.notUsed
      : [...read.notUsed, `all the rest, because together it ${together}.`]
  return {
    files: together === undefined ? files : [],
    leftOut: reasons.length > 0 ? { text: reasons.join('\n'), untrusted: read.untrusted } : undefined,
  }
}

function namesOf(files: readonly ProjectFile[]): string {
  const more = files.length - MOST_NAMES
  const names = files.slice(0, MOST_NAMES).map(({ file }) => file)
  return [...names, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

const folderText = (files: readonly ProjectFile[]): string => files.map(textOfFile).join('\n\n')

/** A folder's `SOUL.md` is not the agent's identity: its heading says that it is about this project. */
function textOfFile({ file, text, place }: ProjectFile): string {
  if (file === 'SOUL.md') return `## How to sound in this project (from SOUL.md of its folder)\n${text}`
  if (place?.kind === 'named') return `### ${file}, which ${place.by} names\n${text}`
  const nearer = place ? ', which counts before those above' : ''
  return `## About this project (from ${file}${nearer})\n${text}`
}

/**
 * The folder's text in the words of the training, which knew one kind of file.
 * @internal for the training of the built-in model
 */
export const trainedFolderText = (
  heading: string,
  files: readonly Pick<ProjectFile, 'file' | 'text'>[],
): string => files.map(({ file, text }) => `${fillText(heading, { file })}\n${text}`).join('\n\n')
