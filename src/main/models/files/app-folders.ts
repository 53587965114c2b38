import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { z } from 'zod'
import { parseJson } from '../../lib/expected-errors.ts'

/** The facts about a computer that decide where programs keep their models. */
export type AppPlaces = {
  home: string
  env: Readonly<Record<string, string | undefined>>
  platform: NodeJS.Platform
}

/** A model folder of another program; `blobs` are files named by digest, as Ollama stores them. */
export type AppFolder = { app: string; folder: string; keeps: 'files' | 'blobs' }

/** Return the model folders of LM Studio, Jan, GPT4All and Ollama on this computer. Most will not exist. */
export async function appFolders(places: AppPlaces): Promise<AppFolder[]> {
  const files = (app: string) => (folder: string) => ({ app, folder, keeps: 'files' as const })
  const blobs = (folder: string) => ({ app: 'Ollama', folder, keeps: 'blobs' as const })
  const all = [
    ...(await lmStudio(places)).map(files('LM Studio')),
    ...(await jan(places)).map(files('Jan')),
    ...gpt4all(places).map(files('GPT4All')),
    ...ollama(places).map(blobs),
  ]
  return [...new Map(all.map(each => [each.folder, each])).values()]
}

async function lmStudio({ home }: AppPlaces): Promise<string[]> {
  // LM Studio leaves this pointer when its home folder is moved.
  const moved = (await readFile(join(home, '.lmstudio-home-pointer'), 'utf8').catch(() => '')).trim()
  const roots = [moved, join(home, '.lmstudio'), join(home, '.cache', 'lm-studio')].filter(isAbsolute)
  const folders = await Promise.all(
    roots.map(async root => [
      ...(await pathIn(join(root, 'settings.json'), 'downloadsFolder')),
      join(root, 'models'),
    ]),
  )
  return folders.flat()
}

async function jan(places: AppPlaces): Promise<string[]> {
  const roots = [...dataFolders(places)].map(folder => join(folder, 'Jan'))
  const data = await Promise.all(
    roots.map(async root => [
      ...(await pathIn(join(root, 'settings.json'), 'data_folder')),
      join(root, 'data'),
    ]),
  )
  return [...data.flat(), join(places.home, 'jan')].flatMap(each => [
    join(each, 'llamacpp', 'models'),
    join(each, 'models'),
  ])
}

const gpt4all = (places: AppPlaces) =>
  [...dataFolders(places)].map(folder => join(folder, 'nomic.ai', 'GPT4All'))

function ollama({ home, env, platform }: AppPlaces): string[] {
  const own = [env['OLLAMA_MODELS'] ?? '', join(home, '.ollama', 'models')].filter(isAbsolute)
  // As a service, Ollama has its own home folder.
  const service =
    platform === 'linux'
      ? ['/usr/share/ollama/.ollama/models', '/var/lib/ollama/.ollama/models', '/var/lib/ollama']
      : []
  return [...own, ...service]
}

/** Return the folders for application data. */
function dataFolders({ home, env, platform }: AppPlaces): Set<string> {
  if (platform === 'darwin') return new Set([join(home, 'Library', 'Application Support')])
  if (platform === 'win32') {
    return new Set([
      env['APPDATA'] ?? join(home, 'AppData', 'Roaming'),
      env['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local'),
    ])
  }
  const share = env['XDG_DATA_HOME'] || join(home, '.local', 'share')
  const config = env['XDG_CONFIG_HOME'] || join(home, '.config')
  return new Set([share, config])
}

/** Return the absolute path under a key of a program’s settings; empty if there is none. */
async function pathIn(path: string, key: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  const settings = z.record(z.string(), z.unknown()).safeParse(parseJson(text))
  const value = settings.success ? settings.data[key] : undefined
  return typeof value === 'string' && isAbsolute(value) ? [value] : []
}
