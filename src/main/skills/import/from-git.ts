import { once } from 'node:events'
import { basename } from 'node:path'
import { Fault } from '../../../shared/rpc.ts'
import { OfflineError, unlock } from '../../lib/network/offline.ts'
import { openGit, gitTrouble, type Git, type GitOptions } from './open-git.ts'
import { isPublished } from '../../lib/trusted-publishers.ts'
import { createFileList, LINK, visibleName, type Source, type SourceFile } from './skill-source.ts'
import { readGitAddress, partAddress, writtenAddress, type GitAddress } from './git-address.ts'

type Blob = SourceFile & { object: string }

/** A Git LFS pointer: the content of the file is on another server. */
const POINTER = /^version https:\/\/\S+\/spec\/v1\noid sha256:/
const LONGEST_POINTER = 1_000

/**
 * Fetch the newest state of a repository into `scratch`, a folder that does not exist yet, and list its
 * files. Throws a Fault with text for the user.
 */
export async function fromGit(
  given: { address: string; ref: string },
  scratch: string,
  options: GitOptions,
  signal: AbortSignal,
): Promise<Source<Blob>> {
  const { allowFile = false } = options
  const read = readGitAddress(given.address, given.ref, { allowFile })
  const stays = isPublished(read.repository, options.publishers ?? [])
  const git = reaching(await openGit(scratch, { ...options, stays }, signal), read.repository, options)
  const address = read.mixed === undefined ? read : await partedByNames(git, read, signal)
  const { repository, ref, folder } = address
  await git.fetch(
    [
      'fetch',
      '--quiet',
      '--depth=1',
      '--no-tags',
      '--no-recurse-submodules',
      '--',
      repository,
      ref || 'HEAD',
    ],
    signal,
  )
  const commit = (await git.run(['rev-parse', '--verify', 'FETCH_HEAD^{commit}'], signal)).trim()
  const list = createFileList<Blob>('This repository')
  const tree = await git.run(['ls-tree', '-r', '-z', '-l', '--full-tree', commit], signal)
  const below = folder === '' ? '' : `${folder}/`
  for (const line of tree.split('\0')) {
    const [, mode = '', object = '', size = '', name = ''] =
      /^(\d+) \w+ ([\da-f]+) +(\d+|-)\t(.+)$/s.exec(line) ?? []
    if (!name.startsWith(below) || name === '') continue
    const path = name.slice(below.length)
    if (mode === '120000') list.leaveOut(path, LINK)
    else if (mode === '160000') list.leaveOut(path, 'it is a repository within this one')
    else list.add(path, { bytes: Number(size), isProgram: mode === '100755', object })
  }
  if (list.files.length === 0)
    throw new Fault(
      'bad_input',
      folder === '' ? 'This repository is empty.' : `The repository has no folder “${visibleName(folder)}”.`,
    )
  return {
    from: { kind: 'git', address: writtenAddress(address), commit },
    within: folder,
    name: basename(folder || repository).replace(/\.git$/, ''),
    files: list.files.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
    leftOut: list.leftOut,
    async *read(files, abort) {
      for await (const { file, bytes } of blobsOf(git, files, abort)) {
        const isPointer =
          bytes.length < LONGEST_POINTER && POINTER.test(Buffer.from(bytes).toString('latin1'))
        if (!isPointer) yield { file, bytes }
      }
    },
  }
}

/** Wrap git so that it announces each host before connecting. Throws a Fault if the host is not allowed. */
function reaching(git: Git, repository: string, { reach }: GitOptions): Git {
  const host = hostOf(repository)
  if (!reach || host === undefined) return git
  return {
    ...git,
    async fetch(args, abort) {
      let asked: ReturnType<typeof reach>
      try {
        asked = reach(host, repository)
      } catch (error) {
        if (!(error instanceof OfflineError)) throw error
        throw new Fault('not_ready', `${error.message} ${unlock}`)
      }
      try {
        const said = await git.fetch(args, abort)
        asked.end(true)
        return said
      } catch (error) {
        asked.end(false)
        throw error
      }
    },
  }
}

/** The host of an address; undefined for a folder on this computer. */
function hostOf(repository: string): string | undefined {
  const url = URL.parse(repository)
  if (url?.protocol === 'file:') return undefined
  return url?.host || /^(?:[^@/]+@)?([^:/]+):/.exec(repository)?.[1]
}

async function partedByNames(git: Git, address: GitAddress, signal: AbortSignal): Promise<GitAddress> {
  const listed = await git.fetch(['ls-remote', '--heads', '--tags', '--', address.repository], signal)
  const names = [...listed.matchAll(/\trefs\/(?:heads|tags)\/(.+?)(?:\^\{\})?$/gm)].map(match => match[1]!)
  return partAddress(address, names)
}

/** The contents of files, read by a single git process. */
async function* blobsOf(
  git: Git,
  files: readonly Blob[],
  signal: AbortSignal,
): AsyncGenerator<{ file: Blob; bytes: Uint8Array }> {
  if (files.length === 0) return
  const child = git.start(['cat-file', '--batch'], signal)
  const ended = once(child, 'close')
  // If git cannot start, its output just ends.
  ended.catch(() => {})
  child.stderr?.resume()
  child.stdin?.end(files.map(({ object }) => `${object}\n`).join(''))
  if (!child.stdout) throw gitTrouble('', 'cat-file')
  const output = (child.stdout as AsyncIterable<Buffer>)[Symbol.asyncIterator]()
  let rest: Buffer = Buffer.alloc(0)
  const more = async (): Promise<void> => {
    const next = await output.next()
    signal.throwIfAborted()
    if (next.done) throw gitTrouble('', 'cat-file')
    rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value])
  }
  try {
    for (const file of files) {
      while (!rest.includes(10)) await more()
      const head = rest.toString('latin1', 0, rest.indexOf(10))
      rest = rest.subarray(head.length + 1)
      if (!head.endsWith(` blob ${file.bytes}`)) throw gitTrouble(head, 'cat-file')
      const chunks: Buffer[] = []
      let missing = file.bytes + 1
      while (missing > 0) {
        if (rest.length === 0) await more()
        const chunk = rest.subarray(0, missing)
        chunks.push(chunk)
        rest = rest.subarray(chunk.length)
        missing -= chunk.length
      }
      yield { file, bytes: Buffer.concat(chunks).subarray(0, file.bytes) }
    }
    await ended
  } finally {
    if (child.exitCode === null) child.kill('SIGKILL')
  }
}
