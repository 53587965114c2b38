import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { openConfinement, type Confiner } from '../../src/main/confinement/open-confinement.ts'
import { aFolderToConfine } from './folder-to-confine.ts'
import { runConfined, WORK } from './run-confined.ts'

/** The identity of the user in the configuration of their home folder. */
const IDENTITY = '[user]\n\tname = Ada\n\temail = ada@example.org\n'

/** The changes of a confined command to files that git obeys. */
type Attempt = { changed: string[]; hasFailed: boolean; output: string }

/**
 * A user with a home folder, a repository and git, and confined commands in that repository. `mark` is
 * outside the folders that a command may write to, so a program that creates it was not confined.
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

  /** Start again with a repository of one commit. */
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

  /** Run git as the user, with all their rights. */
  git(command: string, at = '.'): void {
    this.#run(['-c', 'protocol.file.allow=always', ...command.split(' ')], at)
  }

  /** Change the configuration of the repository as the user. */
  set(key: string, value: string): void {
    this.#run(['config', key, value], '.')
  }

  #run(args: readonly string[], at: string): void {
    const env = { ...process.env, HOME: this.base, GIT_CONFIG_NOSYSTEM: '1', GIT_EDITOR: 'true' }
    spawnSync('git', args, { cwd: join(this.folder, at), env })
  }

  /** Write the user's own configuration, besides their name. */
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
   * Run a confined command in *Work* that may not write files that git obeys. In the command, `evil FILE`
   * writes a program that creates the mark, `monitor` prints a setting that names such a program, and `MARK`
   * is the mark.
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
