import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openConfinement, type Confiner } from '../../src/main/confinement/open-confinement.ts'
import { aFolderToConfine } from './folder-to-confine.ts'
import { runConfined, WORK } from './run-confined.ts'

/** Who the person is, as the configuration in their home says. */
const IDENTITY = '[user]\n\tname = Ada\n\temail = ada@example.org\n'

/** What a confined command did that git obeys. */
type Attempt = { changed: string[]; hasFailed: boolean; output: string }

/**
 * A person with a home folder, a repository and git, and confined commands in that repository. `mark` lies outside of what a command
 * may write, so that whatever leaves it was not confined.
 */
export class PersonWithGit {
  readonly base = aFolderToConfine()
  readonly mark = join(this.base, 'marks/ran')
  readonly confiner: Confiner = openConfinement({
    home: join(this.base, 'home'),
    userHome: this.base,
    readable: () => [],
  })
  folder = ''

  /** Begin anew, with a repository of one commit. */
  begin(): void {
    mkdirSync(dirname(this.mark), { recursive: true })
    this.forgetMark()
    this.configure('')
    this.folder = mkdtempSync(join(this.base, 'folder-'))
    this.git('init -q')
    this.put('a.txt', 'one\n')
    this.git('add a.txt')
    this.git('commit -qm First')
  }

  put(name: string, text: string): void {
    const path = join(this.folder, name)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text, { mode: 0o755 })
  }

  link(target: string, name: string): void {
    const path = join(this.folder, name)
    mkdirSync(dirname(path), { recursive: true })
    rmSync(path, { force: true })
    symlinkSync(target, path)
  }

  /** A git of the person, with all their rights. */
  git(command: string, at = '.'): void {
    this.#run(['-c', 'protocol.file.allow=always', ...command.split(' ')], at)
  }

  /** Set something in the configuration of the repository, as the person. */
  set(key: string, value: string): void {
    this.#run(['config', key, value], '.')
  }

  #run(args: readonly string[], at: string): void {
    const env = { ...process.env, HOME: this.base, GIT_CONFIG_NOSYSTEM: '1', GIT_EDITOR: 'true' }
    spawnSync('git', args, { cwd: join(this.folder, at), env })
  }

  /** The person's own configuration, beside their name. */
  configure(text: string): void {
    writeFileSync(join(this.base, '.gitconfig'), `${IDENTITY}${text}`)
  }

  addSubmodule(): void {
    const origin = mkdtempSync(join(this.base, 'origin-'))
    spawnSync('git', ['clone', '-q', this.folder, origin])
    this.git(`submodule --quiet add ${origin} sub`)
    this.git('commit -qm Sub')
  }

  /**
   * Run a confined command in *Work* that may write nothing that git obeys. In it `evil FILE` writes a program that leaves the mark,
   * `monitor` prints a setting that names one, and `MARK` is the mark.
   */
  async attempt(command: string, chat = '.'): Promise<Attempt> {
    const tools = [
      // Confined commands do not read the configuration of this home.
      'export GIT_AUTHOR_NAME=Ada GIT_AUTHOR_EMAIL=a@b.c GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=a@b.c',
      `evil() { mkdir -p "$(dirname "$1")"; printf '%s\\n' '#!/bin/sh' 'touch MARK' cat > "$1"; chmod +x "$1"; }`,
      `monitor() { printf '[core]\\n\\tfsmonitor = "touch MARK;:"\\n'; }`,
    ]
    const text = [...tools, command].join('\n').replaceAll('MARK', this.mark)
    const ended = await runConfined(this.confiner, text, WORK, { folder: join(this.folder, chat) })
    const changed = (ended.report?.changes ?? []).map(({ path }) => join(chat, path))
    return { changed, hasFailed: ended.code !== 0, output: ended.output }
  }

  hasMark = (): boolean => existsSync(this.mark)
  forgetMark = (): void => rmSync(this.mark, { force: true })
  end = (): void => rmSync(this.base, { recursive: true, force: true })
}
