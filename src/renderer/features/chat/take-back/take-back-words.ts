import type { ChangedFile, FileStep } from '../../../../shared/contract/chats/changed-files.ts'
import { byCount } from '../../../../shared/text/amounts.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { countOf, formatCount, oneLine } from '../../../ui/text/format-values.ts'

/** Maximum length of a file name on a button, in characters. */
const NAME_CHARACTERS = 30

/**
 * The last part of a path, short enough for a button.
 *
 * @internal Exported for its test.
 */
export const fileLabel = (path: string): string =>
  oneLine(showHidden(path.split(/[/\\]/u).findLast(part => part !== '') ?? path), NAME_CHARACTERS)

/** A label for files: “shopping.txt”, “3 files”. */
export const filesLabel = (paths: readonly string[]): string =>
  paths.length === 1 ? fileLabel(paths[0]!) : countOf(paths.length, 'file', 'files')

/** What happens to a file when its changes are undone. */
export const EFFECTS: Readonly<Record<ChangedFile['change'], string>> = {
  write: 'It goes back to its earlier content.',
  create: 'It is restored.',
  remove: 'It is deleted: it did not exist before.',
}

/** The button label for the chosen files: “Delete shopping.txt”, “Undo changes to 3 files”. */
export function chosenLabel(files: readonly Pick<ChangedFile, 'name' | 'change'>[]): string {
  const [file] = files
  if (!file) return 'Keep the files as they are'
  if (files.length > 1) return `Undo changes to ${formatCount(files.length)} files`
  const name = fileLabel(file.name)
  return file.change === 'remove' ? `Delete ${name}` : `Restore ${name}`
}

/** The result of undoing file changes, as a sentence. */
export function sayTakenBack(files: readonly (Pick<FileStep, 'to'> & { name: string })[]): string {
  const [file] = files
  if (!file || files.length > 1) return `Changes to ${formatCount(files.length)} files were undone.`
  return file.to === null ? `${file.name} was deleted.` : `${file.name} is as it was before.`
}

/** Says that the changes were redone. */
export const sayPutBack = (files: readonly { name: string }[]): string =>
  byCount(
    files.length,
    `${files[0]?.name ?? ''} is as the answer left it.`,
    `${formatCount(files.length)} files are as the answer left them.`,
  )

/** Says that there is nothing to undo. */
export const sayNothing = (files: readonly Pick<ChangedFile, 'name'>[]): string =>
  files.length === 0
    ? 'The earlier contents of these files were not kept, so the changes cannot be undone.'
    : byCount(
        files.length,
        `${files[0]?.name ?? ''} is already as it was before.`,
        `${formatCount(files.length)} files are already as they were before.`,
      )
