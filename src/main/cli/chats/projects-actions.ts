import { readFileSync, statSync } from 'node:fs'
import type { HostClient } from '../../../shared/contract/index.ts'
import { afterRemoval, type Project } from '../../../shared/contract/chats/projects.ts'
import { Sampling } from '../../../shared/contract/models/sampling.ts'
import { Fault } from '../../../shared/rpc.ts'
import { jsonLine, showHiddenInLine } from '../../../shared/visible-text/show-hidden.ts'
import { nearNames } from '../../lib/words/similarity.ts'
import { absolutePath } from '../command-line.ts'
import { modelIdOf, modeOf } from '../interactive/follow-run.ts'
import { chatNamed, findById } from '../find-item.ts'
import { TWICE, withClient } from '../open-client.ts'
import { confirmOnTerminal } from '../interactive/ask-at-terminal.ts'
import { escapeInvisible, many, printLine, stripControls } from '../output/terminal-text.ts'

type Options = { home?: string; json?: true }
type Settings = Options & {
  name?: string
  folder?: string
  instructions?: string
  instructionsFile?: string
  model?: string
  approve?: 'ask' | 'reads' | 'all' | 'none' | ''
  skills?: string
  apply?: true
} & { [K in keyof Sampling]?: string }

/** Maximum size of a file of instructions, in bytes. */
const MOST_BYTES = 100_000

/** Print the projects, by name. */
export async function listProjects({ home, json }: Options): Promise<void> {
  const { projects } = await withClient(home, client => client['project.list']({}), TWICE)
  if (json) return printLine(jsonLine({ projects }))
  if (projects.length === 0) printLine('No projects yet. Create one: talaria projects create NAME')
  for (const project of projects) printLine(lineOf(project))
}

/** Print the settings and the chats of a project. */
export async function showProject(given: string, { home, json }: Options): Promise<void> {
  await withClient(
    home,
    async client => {
      const project = await projectNamed(client, given)
      const { sessions } = await client['session.list']({ projectId: project.id, limit: 200 })
      if (json) return printLine(jsonLine({ project, chats: sessions }))
      printLine(lineOf(project))
      const { modelId, approval, skills, sampling, toolsets, instructions } = project
      const set = {
        model: modelId ?? '',
        mode: approval ?? '',
        skills: skills === null ? '' : skills.join(', ') || 'none',
        toolsets: wordsOf(toolsets),
        sampling: wordsOf(sampling),
      }
      for (const [what, text] of Object.entries(set))
        if (text !== '') printLine(`${what}: ${escapeInvisible(text)}`)
      if (instructions !== '') printLine(`\n${stripControls(instructions)}\n`)
      for (const { id, title } of sessions) printLine(`${id}  ${showHiddenInLine(title || 'New chat')}`)
    },
    TWICE,
  )
}

/** Create a project. */
export async function createProject(name: string, settings: Settings): Promise<void> {
  const { home, json } = settings
  await withClient(home, async client => {
    const project = await client['project.create']({ ...(await changeOf(client, settings, {})), name })
    printLine(json ? jsonLine({ project }) : `Created: ${lineOf(project)}`)
  })
}

/** Change the settings of a project. */
export async function setProject(given: string, settings: Settings): Promise<void> {
  const { home, json, apply } = settings
  await withClient(home, async client => {
    const { id, sampling } = await projectNamed(client, given)
    const change = await changeOf(client, settings, sampling)
    if (Object.keys(change).length === 0 && !apply)
      throw new Fault(
        'bad_input',
        'Name a setting, such as --instructions TEXT. “talaria projects set --help” lists them.',
      )
    const project = await client['project.update']({ id, ...change })
    const applied = apply ? await client['project.refreshPrompts']({ id }) : undefined
    if (json) return printLine(jsonLine({ project, ...applied }))
    printLine(`Changed: ${lineOf(project)}`)
    if (applied) printLine(`The instructions apply from the next message in ${many(applied.chats, 'chat')}.`)
    else if (change.instructions !== undefined && project.chats > 0)
      printLine('New chats get the instructions. Add --apply for existing chats.')
  })
}

/** Move chats to a project, or out of their projects. A wrong id throws before any chat is moved. */
export async function moveChats(
  names: readonly string[],
  { home, json, none }: Options & { none?: true },
): Promise<void> {
  const [first = '', ...others] = names
  const given = none ? names : others
  if (given.length === 0) throw new Fault('bad_input', 'Name the project, then the chats to move.')
  await withClient(home, async client => {
    const project = none ? undefined : await projectNamed(client, first)
    const chats = []
    for (const each of given) chats.push(await chatNamed(client, each))
    for (const { id, title } of chats) {
      await client['session.update']({ id, projectId: project?.id ?? null })
      const where = project ? `to ${showHiddenInLine(project.name)}` : 'out of its project'
      printLine(
        json
          ? jsonLine({ id, projectId: project?.id ?? null })
          : `Moved ${where}: ${showHiddenInLine(title || 'New chat')}`,
      )
    }
  })
}

/** Remove a project after asking. Resolves to whether the user agreed. */
export async function removeProject(
  given: string,
  { home, json, yes }: Options & { yes?: true },
): Promise<boolean> {
  return withClient(home, async client => {
    const project = await projectNamed(client, given)
    const { id, name } = project
    const question = `Remove the project “${showHiddenInLine(name)}”? ${afterRemoval(project)}`
    const unanswerable = 'There is no terminal to confirm this. Add --yes to remove without asking.'
    if (!yes && !(await confirmOnTerminal(question, unanswerable))) return false
    await client['project.remove']({ id })
    printLine(json ? jsonLine({ id }) : `Removed: ${showHiddenInLine(name)}. ${afterRemoval(project)}`)
    return true
  })
}

/** Find a project by its name, its id or the end of its id. */
export async function projectNamed(client: HostClient, given: string): Promise<Project> {
  const { projects } = await client['project.list']({})
  const folded = (name: string) => name.normalize('NFKC').toLowerCase()
  const named = projects.find(({ name }) => folded(name) === folded(given.trim()))
  if (named) return named
  if (projects.some(({ id }) => given !== '' && id.endsWith(given)))
    return findById(projects, given, 'project')
  const [near] = nearNames(
    given,
    projects.map(({ name }) => name),
    1,
  )
  const hint =
    near === undefined ? '“talaria projects” lists them.' : `Did you mean “${showHiddenInLine(near)}”?`
  throw new Fault('not_found', `There is no project “${showHiddenInLine(given.slice(0, 100))}”. ${hint}`)
}

function lineOf({ id, name, folder, folderProblem, chats }: Project): string {
  const details = [
    many(chats, 'chat'),
    folder && escapeInvisible(folder),
    folderProblem && 'the folder cannot be used',
  ]
  return `${showHiddenInLine(name)}\n    ${[id, ...details].filter(Boolean).join(' · ')}`
}

const wordsOf = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} ${value === true ? 'on' : value === false ? 'off' : value}`)
    .join(', ')

/** The settings given on the command line, as a change of a project. An empty text removes a setting. */
async function changeOf(client: HostClient, given: Settings, sampling: Sampling) {
  const { name, folder, instructions, instructionsFile, model, approve, skills } = given
  if (instructions !== undefined && instructionsFile !== undefined)
    throw new Fault('bad_input', 'Give --instructions or --instructions-file, not both.')
  const numbers = numbersOf(given, sampling)
  return {
    ...(name !== undefined && { name }),
    ...(folder !== undefined && { folder: folder === '' ? null : absolutePath(folder) }),
    ...(instructions !== undefined && { instructions }),
    ...(instructionsFile !== undefined && { instructions: textOf(instructionsFile), fromFile: true }),
    ...(model !== undefined && { modelId: model === '' ? null : await modelIdOf(client, model) }),
    ...(approve !== undefined && { approval: approve === '' ? null : modeOf(approve, true) }),
    ...(skills !== undefined && { skills: skills === 'all' ? null : listOf(skills) }),
    ...(numbers && { sampling: numbers }),
  }
}

const listOf = (names: string) =>
  names
    .split(',')
    .map(each => each.trim())
    .filter(each => each !== '')

function textOf(given: string): string {
  const path = absolutePath(given)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats?.isFile()) throw new Fault('not_found', `There is no file ${escapeInvisible(path)}.`)
  if (stats.size > MOST_BYTES) throw new Fault('bad_input', 'This file is too long for instructions.')
  return readFileSync(path, 'utf8')
}

/** The sampling options with the given ones applied; undefined if none were given. */
function numbersOf(given: Settings, before: Sampling): Sampling | undefined {
  const next: Record<string, number> = { ...(before as Record<string, number>) }
  let isChanged = false
  for (const key of Object.keys(Sampling.shape) as (keyof Sampling)[]) {
    const text = given[key]
    if (text === undefined) continue
    isChanged = true
    if (text === '') delete next[key]
    else {
      const number = Sampling.shape[key].safeParse(Number(text))
      if (!number.success)
        throw new Fault(
          'bad_input',
          `“${escapeInvisible(text)}” cannot be the ${key}: ${number.error.issues[0]?.message}`,
        )
      next[key] = Number(text)
    }
  }
  return isChanged ? next : undefined
}
