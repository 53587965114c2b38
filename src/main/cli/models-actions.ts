import { stat } from 'node:fs/promises'
import type { HostClient } from '../../shared/contract/index.ts'
import type { FoundFile, Model } from '../../shared/contract/model.ts'
import { Fault } from '../../shared/rpc.ts'
import { pathOf } from './here.ts'
import { follow, processScreen, tellEnd } from './models-transfer.ts'
import { withClient } from './open-client.ts'
import { visible } from './plain.ts'
import { showFit, showFound, showModels } from './show-models.ts'
import { createTerminal } from './terminal.ts'

export type ModelsOptions = { home?: string; json?: true }

/** What changes nothing, or nothing more, when it is asked twice. */
const TWICE = { twice: true }

/** Print the models that there are. */
export async function modelsList({ home, json }: ModelsOptions): Promise<void> {
  await withClient(
    home,
    async client => {
      const { models, defaultId } = await client['model.list']({})
      print(json ? JSON.stringify({ models, defaultId }) : showModels(models, defaultId))
    },
    TWICE,
  )
}

/**
 * Use a model file where it is, or every one in a folder; with `copy`, bring it into Talaria’s folder first. Resolves to
 * whether all of them are in the list now.
 */
export async function modelsAdd(
  given: string,
  { home, json, copy }: ModelsOptions & { copy?: true },
): Promise<boolean> {
  return withClient(home, async client => {
    const { files } = await client['model.look']({ path: pathOf(given) })
    const { models } = await client['model.list']({})
    const owned = new Set(models.filter(model => model.file?.owned).map(model => model.id))
    const usable = files.filter(file => file.problem === null)
    for (const { path, problem } of files)
      if (problem !== null) aside(`${visible(path)} is left out: ${visible(problem)}`)
    if (usable.length === 0) throw new Fault('bad_input', `There is no model in ${visible(pathOf(given))}.`)
    let isWell = true
    for (const file of usable) {
      const { path, knownAs, copyOf, name } = file
      // Whoever wants a copy has reasons not to rely on where the file lies now.
      const same = copy ? [knownAs, copyOf].find(id => id !== null && owned.has(id)) : knownAs
      if (same)
        print(
          json
            ? JSON.stringify({ id: same, known: true })
            : `${visible(name)} is here already: ${visible(same)}`,
        )
      else if (copy) isWell = (await bring(client, () => client['transfer.copy']({ path }), json)) && isWell
      else await link(client, file, json)
    }
    return isWell
  })
}

async function link(client: HostClient, { path, copyOf }: FoundFile, json: true | undefined): Promise<void> {
  if (copyOf !== null) aside(`It has the same content as ${visible(copyOf)}.`)
  const model = await client['model.add']({ path })
  print(json ? JSON.stringify(model) : `Added: ${visible(model.name)}  ${visible(model.id)}`)
}

/** Wait for what brings a file. */
async function bring(
  client: HostClient,
  start: Parameters<typeof follow>[1],
  json: true | undefined,
): Promise<boolean> {
  const screen = processScreen(json)
  return tellEnd(await follow(client, start, screen), screen)
}

/** Take a model off the list; a file in Talaria’s own folder is deleted, after a question. Resolves to whether it was wanted. */
export async function modelsRemove(
  given: string,
  { home, json, yes }: ModelsOptions & { yes?: true },
): Promise<boolean> {
  return withClient(home, async client => {
    const model = await modelNamed(client, given)
    const { id, name, file } = model
    if (file?.owned) {
      if (!yes && !(await isWanted(`Delete ${file.path}?`))) return false
      await client['model.deleteFile']({ id })
    } else await client['model.forget']({ id })
    const deed = file?.owned ? 'deleted' : file ? 'off the list; its file stays' : 'off the list'
    print(json ? JSON.stringify({ id, deleted: file?.owned ?? false }) : `${visible(name)} is ${deed}.`)
    return true
  })
}

async function isWanted(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new Fault('bad_input', 'Nobody is here to say yes to this: add --yes to delete the file.')
  const terminal = createTerminal(true)
  try {
    return await terminal.confirm(question)
  } finally {
    terminal.close()
  }
}

/** Look for models of other programs, and print what is there. */
export async function modelsScan({ home, json }: ModelsOptions): Promise<void> {
  await withClient(
    home,
    async client => {
      const { files, looked } = await client['model.scanApps']({})
      if (json) return print(JSON.stringify({ files, looked }))
      if (files.length > 0) print(showFound(files))
      else
        print(`No other program has models here. These folders were looked into:\n  ${looked.join('\n  ')}`)
      if (files.some(file => file.problem === null && file.knownAs === null))
        aside('“talaria models add <file>” uses one where it is.')
    },
    TWICE,
  )
}

/** Say whether a model fits into this computer. Resolves to whether it does, as far as that can be told. */
export async function modelsFit(
  given: string,
  { home, json, context }: ModelsOptions & { context?: number },
): Promise<boolean> {
  return withClient(
    home,
    async client => {
      const model = await fileOrModel(client, given)
      const contextTokens = context === undefined ? {} : { contextTokens: context }
      const fit = await client['model.fit']({ id: model.id, ...contextTokens })
      print(json ? JSON.stringify(fit) : showFit(model.name, fit))
      return fit.label !== 'too_big'
    },
    TWICE,
  )
}

/** A file that is there, or a model that is known. */
async function fileOrModel(client: HostClient, given: string): Promise<Pick<Model, 'id' | 'name'>> {
  const path = pathOf(given)
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile()) return modelNamed(client, given)
  const [file] = (await client['model.look']({ path })).files
  if (!file || file.problem !== null)
    throw new Fault('bad_input', file?.problem ?? `There is no model in ${visible(path)}.`)
  return { id: file.knownAs ?? `file:${file.path}`, name: file.name }
}

/** Fetch a model of the catalogue, or one at an address. Resolves to whether it is here now. */
export async function modelsDownload(
  given: string,
  { home, json, sha256 }: ModelsOptions & { sha256?: string },
): Promise<boolean> {
  return withClient(home, async client => {
    if (/^https?:\/\//i.test(given)) {
      const wanted = { address: given, ...(sha256 !== undefined && { sha256 }) }
      return bring(client, () => client['transfer.download'](wanted), json)
    }
    const { models } = await client['catalogue.list']({})
    const files = models.flatMap(model => model.files)
    const file = files.find(each => each.id === given)
    if (!file) {
      const ids = files.map(each => each.id).join(', ')
      throw new Fault('not_found', `There is no ${visible(given)} in the catalogue. It has: ${ids}.`)
    }
    if (file.modelId !== null) {
      print(json ? JSON.stringify({ id: file.modelId, known: true }) : `It is here already: ${file.modelId}`)
      return true
    }
    return bring(client, () => client['transfer.download']({ catalogueId: file.id }), json)
  })
}

/** Make a model the one of new chats. */
export async function modelsDefault(given: string, { home, json }: ModelsOptions): Promise<void> {
  await withClient(
    home,
    async client => {
      const { id, name } = await modelNamed(client, given)
      await client['model.setDefault']({ id })
      print(json ? JSON.stringify({ defaultId: id }) : `New chats use ${visible(name)}.`)
    },
    TWICE,
  )
}

/** The model that is meant by its id, its name, or its file. */
async function modelNamed(client: HostClient, given: string): Promise<Model> {
  const { models } = await client['model.list']({})
  const path = pathOf(given)
  const byId = models.find(model => model.id === given || model.file?.path === path)
  if (byId) return byId
  const named = models.filter(model => model.name.toLowerCase() === given.toLowerCase())
  const [only] = named
  if (only && named.length === 1) return only
  if (only) {
    const ids = named.map(model => visible(model.id)).join(', ')
    throw new Fault('bad_input', `Several models are called ${visible(given)}; choose one of: ${ids}.`)
  }
  throw new Fault('not_found', `There is no model ${visible(given)}. “talaria models list” shows them.`)
}

const print = (text: string) => void process.stdout.write(`${text}\n`)
const aside = (text: string) => void process.stderr.write(`${text}\n`)
