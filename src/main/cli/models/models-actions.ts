import { stat } from 'node:fs/promises'
import type { HostClient } from '../../../shared/contract/index.ts'
import type { FoundFile, Model } from '../../../shared/contract/models/model.ts'
import { BASE_MODEL } from '../../../shared/words/model-words.ts'
import { Fault } from '../../../shared/rpc.ts'
import { absolutePath } from '../command-line.ts'
import {
  showFit,
  showFound,
  showModels,
  followTransfer,
  processScreen,
  showTransferEnd,
  showTest,
} from './show-models.ts'
import { findUnfinished, listUnfinished, removeUnfinished, showUnfinished } from './downloads-actions.ts'
import { TWICE, withClient } from '../open-client.ts'
import { printAside, escapeInvisible, printLine } from '../output/terminal-text.ts'
import { confirmOnTerminal } from '../interactive/ask-at-terminal.ts'
import { stopOnSignals } from '../stop-on-signals.ts'
import { readChecksum } from '../../../shared/text/read-checksum.ts'
import { jsonLine } from '../../../shared/visible-text/show-hidden.ts'

export type ModelsOptions = { home?: string; json?: true }

const UNANSWERABLE = 'There is no terminal to confirm this. Add --yes to delete the file without asking.'

/** Print the known models, and the downloads that have not ended. */
export async function modelsList({ home, json }: ModelsOptions): Promise<void> {
  await withClient(
    home,
    async client => {
      const { models, defaultId } = await client['model.list']({})
      const downloads = await listUnfinished(client)
      const lists = [showModels(models, defaultId), showUnfinished(downloads)].filter(text => text !== '')
      printLine(json ? jsonLine({ models, defaultId, downloads }) : lists.join('\n'))
    },
    TWICE,
  )
}

/**
 * Add a model file in place, or all model files of a folder; with `copy`, copy them into Talaria’s folder
 * first. Resolves to whether all are in the list now.
 */
export async function modelsAdd(
  given: string,
  { home, json, copy }: ModelsOptions & { copy?: true },
): Promise<boolean> {
  if (/^https?:\/\//i.test(given))
    throw new Fault(
      'bad_input',
      `This is an address. Add a server with: talaria setup --server ${escapeInvisible(given)}`,
    )
  return withClient(home, async client => {
    const { files } = await client['model.look']({ path: absolutePath(given) })
    const { models } = await client['model.list']({})
    const owned = new Set(models.filter(model => model.file?.owned).map(model => model.id))
    const usable = files.filter(file => file.problem === null)
    for (const { path, problem } of files) {
      if (problem === null) continue
      // Most problems name the file themselves.
      const said = problem.includes(path) ? `Skipped: ${problem}` : `${path} is skipped: ${problem}`
      printAside(escapeInvisible(said))
    }
    if (usable.length === 0)
      throw new Fault('bad_input', `Found no model in ${escapeInvisible(absolutePath(given))}.`)
    let isWell = true
    for (const file of usable) {
      const { path, knownAs, copyOf, name } = file
      if (file.file?.base) printAside(`${escapeInvisible(name)}: ${BASE_MODEL}`)
      // With `copy`, only a model in Talaria’s own folder counts as already added: the user does not want to
      // depend on the original file.
      const same = copy ? [knownAs, copyOf].find(id => id !== null && owned.has(id)) : knownAs
      if (same)
        printLine(
          json
            ? jsonLine({ id: same, known: true })
            : `${escapeInvisible(name)} is already in the list: ${escapeInvisible(same)}`,
        )
      else if (copy)
        isWell = (await awaitTransfer(client, () => client['download.copy']({ path }), json)) && isWell
      else await link(client, file, json)
    }
    return isWell
  })
}

async function link(client: HostClient, { path, copyOf }: FoundFile, json: true | undefined): Promise<void> {
  if (copyOf !== null) printAside(`It has the same content as ${escapeInvisible(copyOf)}.`)
  const model = await client['model.add']({ path })
  printLine(json ? jsonLine(model) : `Added: ${escapeInvisible(model.name)}  ${escapeInvisible(model.id)}`)
}

/** Wait for a transfer to end. */
async function awaitTransfer(
  client: HostClient,
  start: Parameters<typeof followTransfer>[1],
  json: true | undefined,
): Promise<boolean> {
  const screen = processScreen(json)
  return showTransferEnd(await followTransfer(client, start, screen), screen)
}

/**
 * Remove a model from the list, or an unfinished download with its partial file. A file in Talaria’s own
 * folder is deleted, after asking. Resolves to whether the user agreed.
 */
export async function modelsRemove(
  given: string,
  { home, json, yes }: ModelsOptions & { yes?: true },
): Promise<boolean> {
  return withClient(home, async client => {
    const { models } = await client['model.list']({})
    const unfinished = findUnfinished(await listUnfinished(client), given)
    if (unfinished && !models.some(model => isNamed(model, given)))
      return removeUnfinished(client, unfinished, { json, yes })
    const model = await modelNamed(client, given)
    const { id, name, file } = model
    if (file?.owned) {
      if (!yes && !(await confirmOnTerminal(`Delete ${file.path}?`, UNANSWERABLE))) return false
      await client['model.deleteFile']({ id })
    } else await client['model.forget']({ id })
    const deed = file?.owned
      ? 'deleted'
      : file
        ? 'removed from the list; its file stays'
        : 'removed from the list'
    printLine(json ? jsonLine({ id, deleted: file?.owned ?? false }) : `${escapeInvisible(name)} is ${deed}.`)
    return true
  })
}

/** Create a mixture of models, or change the mixture with this name. */
export async function modelsMixture(
  name: string,
  {
    home,
    json,
    reference,
    aggregator,
    wait,
  }: ModelsOptions & { reference: string[]; aggregator: string; wait?: number },
): Promise<void> {
  await withClient(home, async client => {
    const { models } = await client['model.list']({})
    const known = models.find(model => model.mixture && isNamed(model, name))
    const references: string[] = []
    for (const each of reference) references.push((await modelNamed(client, each)).id)
    const made = await client['model.setMixture']({
      ...(known ? { id: known.id, name: known.name } : { name }),
      references,
      aggregator: (await modelNamed(client, aggregator)).id,
      ...(wait !== undefined && { waitS: wait }),
    })
    printLine(
      json
        ? jsonLine(made)
        : `${known ? 'Changed' : 'Added'}: ${escapeInvisible(made.name)}  ${escapeInvisible(made.id)}\n    ${escapeInvisible(made.detail)}`,
    )
  })
}

/** Find models of other programs and print them. */
export async function modelsScan({ home, json }: ModelsOptions): Promise<void> {
  await withClient(
    home,
    async client => {
      const { files, looked } = await client['model.scanApps']({})
      if (json) return printLine(jsonLine({ files, looked }))
      if (files.length > 0) printLine(showFound(files))
      else printLine(`Found no models of other programs. Searched folders:\n  ${looked.join('\n  ')}`)
      if (files.some(file => file.problem === null && file.knownAs === null))
        printAside('“talaria models add <file>” adds one in place.')
    },
    TWICE,
  )
}

/** Print whether a model fits this computer. Resolves to whether it does, as far as known. */
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
      printLine(json ? jsonLine(fit) : showFit(model.name, fit))
      return fit.label !== 'too_big'
    },
    TWICE,
  )
}

/**
 * Let a model make three calls, which are not run. Resolves to whether all were valid, with help or without.
 */
export async function modelsTest(given: string, { home, json }: ModelsOptions): Promise<boolean> {
  using stopping = stopOnSignals()
  return withClient(home, async client => {
    const { id } = await modelNamed(client, given)
    let isWell = false
    for await (const step of client['model.test']({ id }, { signal: stopping.signal })) {
      if (json) printLine(jsonLine(step))
      else if (step.step === 'verdict') printLine(showTest(step))
      else printAside(showTest(step))
      if (step.step === 'verdict') isWell = step.verdict.tools !== 'fail'
    }
    if (stopping.signal.aborted) printAside('Stopped.')
    return isWell
  })
}

/** Find an existing file or a known model. */
async function fileOrModel(client: HostClient, given: string): Promise<Pick<Model, 'id' | 'name'>> {
  const path = absolutePath(given)
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile()) return modelNamed(client, given)
  const [file] = (await client['model.look']({ path })).files
  if (!file || file.problem !== null)
    throw new Fault('bad_input', file?.problem ?? `Found no model in ${escapeInvisible(path)}.`)
  return { id: file.knownAs ?? `file:${file.path}`, name: file.name }
}

/** Download a model from the catalogue or an address. Resolves to whether it is available now. */
export async function modelsDownload(
  given: string,
  { home, json, sha256, again }: ModelsOptions & { sha256?: string; again?: true },
): Promise<boolean> {
  return withClient(home, async client => {
    if (/^https?:\/\//i.test(given)) {
      const sum = sha256 === undefined ? undefined : readChecksum(sha256, fileOf(given))
      if (sum && 'problem' in sum) throw new Fault('bad_input', sum.problem)
      const wanted = { address: given, ...(sum && { sha256: sum.sha256 }), ...(again && { again }) }
      return awaitTransfer(client, () => client['download.start'](wanted), json)
    }
    const { models } = await client['catalogue.list']({})
    const files = models.flatMap(model => model.files)
    const file = files.find(each => each.id === given)
    if (!file) {
      const ids = files.map(each => each.id).join(', ')
      throw new Fault('not_found', `The catalogue has no ${escapeInvisible(given)}. It has: ${ids}.`)
    }
    if (file.modelId !== null && !again) {
      const known = `Already downloaded: ${escapeInvisible(file.modelId)}\nNothing was downloaded. Add --again to download it again.`
      printLine(json ? jsonLine({ id: file.modelId, known: true }) : known)
      return true
    }
    const wanted = { catalogueId: file.id, ...(again && { again }) }
    return awaitTransfer(client, () => client['download.start'](wanted), json)
  })
}

/** The file name at the end of an address, by which its line in a list of checksums is found. */
const fileOf = (address: string) => URL.parse(address)?.pathname.split('/').at(-1) ?? ''

/** Make a model the default for new chats. */
export async function modelsDefault(given: string, { home, json }: ModelsOptions): Promise<void> {
  await withClient(
    home,
    async client => {
      const { id, name } = await modelNamed(client, given)
      await client['model.setDefault']({ id })
      printLine(json ? jsonLine({ defaultId: id }) : `New chats use ${escapeInvisible(name)}.`)
    },
    TWICE,
  )
}

const isNamed = (model: Model, given: string): boolean =>
  model.id === given ||
  model.file?.path === absolutePath(given) ||
  model.name.toLowerCase() === given.toLowerCase()

/** Find a model by id, name or file. */
async function modelNamed(client: HostClient, given: string): Promise<Model> {
  const { models } = await client['model.list']({})
  const path = absolutePath(given)
  const byId = models.find(model => model.id === given || model.file?.path === path)
  if (byId) return byId
  const named = models.filter(model => model.name.toLowerCase() === given.toLowerCase())
  const [only] = named
  if (only && named.length === 1) return only
  if (only) {
    const ids = named.map(model => escapeInvisible(model.id)).join(', ')
    throw new Fault(
      'bad_input',
      `Several models are called ${escapeInvisible(given)}; choose one of: ${ids}.`,
    )
  }
  throw new Fault(
    'not_found',
    `No model is called ${escapeInvisible(given)}. “talaria models list” lists them.`,
  )
}
