import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join } from 'node:path'
import { app, dialog, shell, type BrowserWindow, type OpenDialogOptions } from 'electron'
import type { Choosable } from '../../../shared/contract/desktop.ts'
import { Fault } from '../../../shared/rpc.ts'
import type { DesktopHandlers } from '../../app/host-types.ts'
import { fileErrorCode, reasonOf } from '../../lib/expected-errors.ts'

type Dialogs = Pick<DesktopHandlers, 'desktop.choose' | 'desktop.save' | 'desktop.reveal'>

const choices: Readonly<Record<Choosable, OpenDialogOptions>> = {
  folder: { title: 'A folder', properties: ['openDirectory', 'createDirectory'] },
  model: {
    title: 'A model file',
    properties: ['openFile'],
    filters: [
      { name: 'GGUF models', extensions: ['gguf'] },
      { name: 'All files', extensions: ['*'] },
    ],
  },
  import: {
    title: 'Chats and memories of another program',
    properties: ['openFile'],
    filters: [
      { name: 'Exports', extensions: ['zip', 'json', 'db', 'md'] },
      { name: 'All files', extensions: ['*'] },
    ],
  },
}

/** Create the system’s dialogs and file manager for our pages. `window` returns the parent of a dialog. */
export function createDialogs(window: () => BrowserWindow | undefined): Dialogs {
  return {
    async 'desktop.choose'({ what, at }) {
      const options = { ...choices[what], ...(startsAt(at) && { defaultPath: at }) }
      const owner = window()
      const { canceled, filePaths } = await (owner
        ? dialog.showOpenDialog(owner, options)
        : dialog.showOpenDialog(options))
      return { path: canceled ? null : (filePaths[0] ?? null) }
    },
    async 'desktop.save'({ name, base64 }) {
      const options = { title: 'Save', defaultPath: join(app.getPath('downloads'), plainName(name)) }
      const owner = window()
      const { canceled, filePath } = await (owner
        ? dialog.showSaveDialog(owner, options)
        : dialog.showSaveDialog(options))
      if (canceled || filePath === '') return { path: null }
      try {
        await writeFile(filePath, Buffer.from(base64, 'base64'))
      } catch (error) {
        const why = reasonOf(fileErrorCode(error))
        throw new Fault('not_ready', `${filePath} cannot be written: ${why}. Choose another place.`)
      }
      return { path: filePath }
    },
    'desktop.reveal'({ path }) {
      if (!startsAt(path)) throw new Fault('not_found', `There is no ${path} on this computer.`)
      shell.showItemInFolder(path)
      return {}
    },
  }
}

/** Return whether a path is on this computer. A Windows share would learn the user's name. */
const startsAt = (path: string): boolean =>
  isAbsolute(path) && !/^[\\/]{2}/.test(path) && existsSync(path) && existsSync(dirname(path))

/** Return a name without folders, to suggest to the user. */
const plainName = (name: string): string => name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '-')
