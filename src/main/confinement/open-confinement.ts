import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { writeAtomic } from '../lib/disk/durable-files.ts'
import { fileErrorCode, reasonOf, type Refusal } from '../lib/expected-errors.ts'
import { removeTree } from '../lib/removal/remove-tree.ts'
import type { Unremoved } from '../lib/removal/unremoved.ts'
import { bubblewrapArguments } from './bubblewrap.ts'
import { confinedEnvironment, harmlessGitConfig, npmCacheIn } from './command-environment.ts'
import { hiddenPaths, thisSystem, createFolderSearch, type HostSystem } from './hidden-paths.ts'
import { cleanTemporary, temporaryFolder } from './clean-temporary.ts'
import {
  describeLimits,
  inGigabytes,
  LIMITS,
  watchLimits,
  probeScope,
  startInScope,
} from './command-limits.ts'
import { NO_EDITOR_FILE, NO_EDITOR_PROGRAM } from './no-editor.ts'
import { findGitPrograms } from './git-programs.ts'
import { quietGit, readGitVersion, type GitVersion } from './quiet-git.ts'
import {
  confiningProgram,
  findOnPath,
  probeConfinement,
  probeKey,
  runProbe,
  type ConfinementState,
} from './probe-confinement.ts'
import { isWithin, type Confinement, type FolderFacts, type Surroundings } from './profile.ts'
import { createGuards, type Guards } from './obeyed/guard/create-guards.ts'
import { rememberMountPoints } from './mount-points.ts'
import { seatbeltProfile } from './seatbelt.ts'

/** A confined command, ready to start. */
export type ConfinedStart = {
  program: string
  args: readonly string[]
  env: NodeJS.ProcessEnv
  /** The folder of this computer that the command sees as `/tmp`. */
  temporary: string
  /** Whether descriptor 3 reports the start; if not, a failure counts as the command's own. */
  reportsStart: boolean
  /** Call this if the command could not be set up, so that the system is probed again. */
  couldNotStart(): void
  /** Watch the process. `exceeded` gets a text for the user at a limit. Returns a function that stops it. */
  watch(pid: number, exceeded: (why: string) => void): () => void
  /** The limit that the system enforces by killing, as text for the user; empty if there is none. */
  killLimit: string
  /** Call this after the end: removes what the mounts left in the folder. */
  cleanUp(): void
}

/** Why a command cannot be confined. `mayRunUnconfined`: the user may be asked to run it unconfined. */
export type CannotConfine = Refusal & { mayRunUnconfined: boolean }

/** The folders of a command. */
type Where = Pick<Surroundings, 'folder' | 'cwd' | 'given'>

/** Confines the shell commands of chats, if the system can. */
export type Confiner = {
  /** Whether commands can be confined here. Tested once, and remembered until the system changes. */
  state(): Promise<ConfinementState>
  /** Prepare the start of a shell command with a profile. */
  prepare(
    shell: readonly string[],
    confinement: Confinement,
    where: Where & { sessionId: string },
  ): Promise<ConfinedStart | CannotConfine>
  /** Delete the temporary folders of deleted chats, and those that are too old or too large together. */
  cleanTemporary(isKnown: (sessionId: string) => boolean): Promise<void>
  /** Delete the temporary folder of a chat. Resolves to what could not be deleted. */
  forgetChat(sessionId: string): Promise<Unremoved[]>
  /** Describe the limits of a command for the user. */
  describeLimits(state: Extract<ConfinementState, { confined: true }>): string
  /** Find what a profile must hide and protect in a folder. */
  search(folder: string): FolderFacts
  /** Watches the obeyed files, for confined and unconfined commands. */
  guards: Guards
}

type Parts = {
  /** Talaria's home folder, with links resolved. */
  home: string
  /** The folders of the skills that a chat in this folder may use. */
  readable: (folder: string) => readonly string[]
  /** The known state of confinement. Without it, the first command runs the test. */
  known?: (() => Promise<ConfinementState>) | undefined
  /** For tests only. */
  userHome?: string
  system?: HostSystem
  program?: () => string | undefined
}

/** The result of a test, and how long it is valid. */
type Probed = { key: string; until: number; state: Promise<ConfinementState> }

/** How many times to try whether commands can be confined. */
const PROBE_TRIES = 3
/** How long to remember a failure, in ms. It may be temporary, such as a full disk. */
const FAILED_MS = 10_000

/** Limit the number of processes, which only bash can do. */
const limited = (shell: readonly string[]) => [
  '/bin/bash',
  '--norc',
  '-c',
  `ulimit -u ${LIMITS.processes}; exec "$@"`,
  'bash',
  ...shell,
]

/** The npm cache for confined commands, in Talaria's home folder. */
export const confinedNpmCache = (home: string): string => npmCacheIn(pathsIn(join(home, 'cache')).caches)

/** The paths that confined commands need, below a folder of caches. */
type Paths = ReturnType<typeof pathsIn>
const pathsIn = (cache: string) => ({
  cover: join(cache, 'confinement', 'cover'),
  gitConfig: join(cache, 'confinement', 'gitconfig'),
  noEditor: join(cache, NO_EDITOR_FILE),
  caches: join(cache, 'commands'),
})

/** Create the folders for commands of one chat, and return them with its temporary folder. */
function makePlaces(cache: string, sessionId: string): Paths & { temporary: string } {
  const paths = pathsIn(cache)
  const temporary = temporaryFolder(cache, sessionId)
  for (const each of [dirname(paths.cover), paths.caches, temporary])
    mkdirSync(each, { recursive: true, mode: 0o700 })
  if (!existsSync(paths.cover)) {
    writeFileSync(paths.cover, '')
    chmodSync(paths.cover, 0o000)
  }
  writeNoEditor(paths.noEditor)
  return { ...paths, temporary }
}

/** Write the program only if it is missing, because a running program cannot be overwritten. */
function writeNoEditor(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats?.isFile() && stats.size === NO_EDITOR_PROGRAM.length) return
  writeAtomic(path, NO_EDITOR_PROGRAM, { mode: 0o700 })
}

/** Combine the facts about several folders that one command may write to. */
const factsOf = (all: readonly FolderFacts[]): FolderFacts => ({
  hidden: all.flatMap(each => each.hidden),
  repositories: [...new Set(all.flatMap(each => each.repositories))],
  gitFiles: all.flatMap(each => each.gitFiles),
  outerGit: [...new Set(all.flatMap(each => each.outerGit))],
  obeyed: [...new Set(all.flatMap(each => each.obeyed))],
  obeyedFiles: all.flatMap(each => each.obeyedFiles),
  runFiles: all.flatMap(each => each.runFiles),
  folders: all.flatMap(each => each.folders),
  isComplete: all.every(each => each.isComplete),
})

/** Open the confinement of commands. Creates nothing in the home before the first confined command. */
export function openConfinement({
  home,
  readable,
  known,
  userHome = homedir(),
  system = thisSystem,
  program = confiningProgram,
}: Parts): Confiner {
  const search = createFolderSearch()
  let probed: Probed | undefined
  let gitConfigReady: Promise<void> | undefined
  let gitVersion: Promise<GitVersion> | undefined
  let scope: Promise<string | undefined> | undefined
  let cleaning: Promise<void> | undefined
  const paths = pathsIn(join(home, 'cache'))

  const makeGitConfig = () =>
    (gitConfigReady ??= harmlessGitConfig()
      .then(text => writeFileSync(paths.gitConfig, text, { mode: 0o600 }))
      .catch((error: unknown) => {
        gitConfigReady = undefined
        throw error
      }))

  /** The arguments of the confining program, up to the command. */
  function argumentsFor(
    by: 'bubblewrap' | 'seatbelt',
    confinement: Confinement,
    where: Where,
    facts: FolderFacts,
    places: Paths & { temporary: string },
  ): string[] {
    const around: Surroundings = { ...where, userHome, home, readable: readable(where.folder) }
    const hidden = hiddenPaths(around, system)
    const isHidden = (path: string) => hidden.some(each => isWithin(each.path, path))
    const writable = where.given?.writable.filter(path => !isHidden(path)) ?? []
    const surroundings = { ...around, given: { readable: where.given?.readable ?? [], writable } }
    const parts = { confinement, surroundings, facts, hidden, ...places }
    return by === 'bubblewrap' ? bubblewrapArguments(parts) : ['-p', seatbeltProfile(parts)]
  }

  /** Find the `systemd-run` that can limit memory here, if any. */
  const scopeProgram = () =>
    (scope ??= (async () => {
      const systemdRun = findOnPath('systemd-run')
      return (await probeScope(systemdRun, runProbe)) ? systemdRun : undefined
    })())

  async function quietGitFor({ folder, cwd }: Pick<Surroundings, 'folder' | 'cwd'>, facts: FolderFacts) {
    const programs = findGitPrograms(folder, cwd, facts, userHome)
    return programs && quietGit(programs, await (gitVersion ??= readGitVersion()))
  }

  async function probe(): Promise<ConfinementState> {
    const by = process.platform === 'darwin' ? 'seatbelt' : 'bubblewrap'
    const trial = mkdtempSync(join(tmpdir(), 'talaria-probe-'))
    try {
      const folder = join(trial, 'folder')
      mkdirSync(folder)
      const where = { folder, cwd: folder }
      // The probe leaves nothing in Talaria's home.
      const places = makePlaces(join(trial, 'cache'), 'probe')
      const profiles: Confinement[] = [
        { profile: 'look' },
        { profile: 'work', network: false, obeyed: 'nothing' },
        { profile: 'work', network: true, obeyed: 'nothing' },
      ]
      const once = () =>
        probeConfinement(
          program(),
          profiles.map(each => argumentsFor(by, each, where, search(folder), places)),
        )
      // A file to be hidden may have vanished in between; the next try does not find it.
      let found = await once()
      for (let tries = 1; !found.confined && tries < PROBE_TRIES; tries++) found = await once()
      return found
    } finally {
      await removeTree(trial)
    }
  }

  function state(): Promise<ConfinementState> {
    if (known) return known()
    const key = probeKey(program())
    if (probed?.key !== key || Date.now() >= probed.until) {
      const begun: Probed = { key, until: Infinity, state: probe().catch(notTried) }
      probed = begun
      void begun.state.then(({ confined }) => {
        if (!confined) begun.until = Date.now() + FAILED_MS
      })
    }
    return probed.state
  }

  function notTried(error: unknown): ConfinementState {
    probed = undefined
    const reason = `Talaria could not test it: ${reasonOf(fileErrorCode(error))}.`
    return { confined: false, reason, remedy: '' }
  }

  return {
    state,
    search,
    guards: createGuards(home, search, userHome),
    cleanTemporary: isKnown => (cleaning = cleanTemporary(join(home, 'cache'), isKnown)),
    forgetChat: sessionId => removeTree(temporaryFolder(join(home, 'cache'), sessionId)),
    describeLimits: ({ limitsProcesses }) => describeLimits(limitsProcesses),
    async prepare(shell, confinement, { sessionId, ...where }) {
      const found = await state()
      if (!found.confined)
        return { refused: `Commands cannot be confined here: ${found.reason}`, mayRunUnconfined: true }
      // A folder that is being removed must not become the `/tmp` of a command.
      await Promise.allSettled([cleaning])
      const places = makePlaces(join(home, 'cache'), sessionId)
      await makeGitConfig()
      const written = [where.folder, ...(where.given?.writable ?? [])]
      const facts = factsOf(written.map(search))
      const isLook = confinement.profile === 'look'
      if (!facts.isComplete && isLook)
        return {
          refused: 'The folder has too many folders to find all keys and passwords in it.',
          mayRunUnconfined: true,
        }
      const git = isLook ? await quietGitFor(where, facts) : {}
      if (!git)
        return {
          refused: 'The repositories in this folder name too many programs to switch them all off.',
          mayRunUnconfined: true,
        }
      const cleanUp = isLook ? () => undefined : rememberMountPoints(facts)
      const confined = {
        program: found.program,
        args: [
          ...argumentsFor(found.by, confinement, where, facts, places),
          ...(found.limitsProcesses ? limited(shell) : shell),
        ],
        env: confinedEnvironment(confinement, {
          userHome,
          git,
          // bubblewrap shows the folder as `/tmp`; Seatbelt shows every folder at its own path.
          caches: places.caches,
          gitConfig: places.gitConfig,
          noEditor: places.noEditor,
          temporary: found.by === 'bubblewrap' ? '/tmp' : places.temporary,
        }),
      }
      // A scope takes time to create. *Look* commands are many and short, so they are watched instead.
      const scope = isLook || found.by !== 'bubblewrap' ? undefined : await scopeProgram()
      return {
        ...(scope === undefined ? confined : startInScope(scope, LIMITS.memoryBytes, confined)),
        temporary: places.temporary,
        reportsStart: found.by === 'bubblewrap',
        couldNotStart: () => (probed = undefined),
        watch: (pid, exceeded) => watchLimits(pid, LIMITS, exceeded),
        killLimit:
          scope === undefined ? '' : `a command is ended at ${inGigabytes(LIMITS.memoryBytes)} of memory`,
        cleanUp,
      }
    },
  }
}
