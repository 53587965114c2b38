import type { ChangedFile, FileStep } from '../../../../shared/contract/chats/changed-files.ts'
import { byCount } from '../../../../shared/text/amounts.ts'
import { showHidden } from '../../../../shared/visible-text/show-hidden.ts'
import { countOf, formatCount, oneLine } from '../../../ui/text/format-values.ts'

/** The longest name of a file on a button, in characters. */
const NAME_CHARACTERS = 30

/**
 * The last part of a path, short enough for a button.
 *
 * @internal Exported for its test.
 */
export const fileLabel = (path: string): string =>
  oneLine(showHidden(path.split(/[/\\]/u).findLast(part => part !== '') ?? path), NAME_CHARACTERS)

/** Files as one name: “shopping.txt”, “3 files”. */
export const filesLabel = (paths: readonly string[]): string =>
  paths.length === 1 ? fileLabel(paths[0]!) : countOf(paths.length, 'file', 'files')

/** What happens to a file that is taken back. */
export const EFFECTS: Readonly<Record<ChangedFile['change'], string>> = {
  write: 'It goes back to its earlier content.',
  create: 'It is restored.',
  remove: 'It is deleted: it did not exist before.',
}

/** What a button does with the chosen files: “Delete shopping.txt”, “Undo changes to 3 files”. */
export function chosenLabel(files: readonly Pick<ChangedFile, 'name' | 'change'>[]): string {
  const [file] = files
  if (!file) return 'Keep the files as they are'
  if (files.length > 1) return `Undo changes to ${formatCount(files.length)} files`
  const name = fileLabel(file.name)
  return file.change === 'remove' ? `Delete ${name}` : `Restore ${name}`
}

/** What became of files that were taken back. */
export function sayTakenBack(files: readonly (Pick<FileStep, 'to'> & { name: string })[]): string {
  const [file] = files
  if (!file || files.length > 1) return `Changes to ${formatCount(files.length)} files were undone.`
  return file.to === null ? `${file.name} was deleted.` : `${file.name} is as it was before.`
}

/** Says that taking back was undone. */
export const sayPutBack = (files: readonly { name: string }[]): string =>
  byCount(
    files.length,
    `${files[0]?.name ?? ''} is as the answer left it.`,
    `${formatCount(files.length)} files are as the answer left them.`,
  )

/** Says that there is nothing to take back. */
export const sayNothing = (files: readonly Pick<ChangedFile, 'name'>[]): string =>
  files.length === 0
    ? 'The earlier contents of these files were not kept, so the changes cannot be undone.'
    : byCount(
        files.length,
        `${files[0]?.name ?? ''} is already as it was before.`,
        `${formatCount(files.length)} files are already as they were before.`,
      )
