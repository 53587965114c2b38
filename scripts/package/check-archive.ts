import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'
import { parseSync } from 'vite'
import { besideArchive } from '../../src/main/lib/disk/shipped-files.ts'
import type { Asar } from './builder.ts'

/** Check that the archive holds what the application needs, and nothing else. */
export function checkContents(asar: Asar, archive: string): void {
  const files = asar.listPackage(archive, {})
  const arch = process.arch
  const needed = [
    '/package.json',
    '/out/main/index.js',
    '/out/main/engine-process.js',
    '/out/main/import-worker.js',
    '/out/main/search-worker.js',
    '/out/main/data-thread.js',
    '/out/main/recall-thread.js',
    '/out/main/text-worker.js',
    '/out/main/document-process.js',
    '/out/main/picture-process.js',
    '/out/main/spool-thread.js',
    '/out/main/cmaps/UniJIS-UTF16-H.bcmap',
    '/out/preload/index.cjs',
    '/out/renderer/index.html',
    `/node_modules/better-sqlite3/prebuilds/linux-${arch}.node`,
    `/node_modules/@node-llama-cpp/linux-${arch}/package.json`,
    '/node_modules/node-llama-cpp/llama/binariesGithubRelease.json',
    // `answer-binary-test.ts` patches it by name.
    '/node_modules/node-llama-cpp/dist/bindings/utils/testBindingBinary.js',
  ]
  assert.deepEqual(
    needed.filter(file => !files.includes(file)),
    [],
    'missing from the archive',
  )
  const unwanted =
    /@node-llama-cpp\/.*cuda|no-cuda|^\/(src|e2e|bench|testing|scripts|resources)\b|\.test\.|\.map$|\.tsx?$/
  assert.deepEqual(
    files.filter(file => unwanted.test(file)),
    [],
    'has no business in the archive',
  )
  const resources = dirname(archive)
  assert.ok(existsSync(join(resources, 'models/talaria-mini.gguf')), 'the built-in model is missing')
  assert.ok(existsSync(join(resources, 'models/tool-meanings.gguf')), 'the encoder of find_tool is missing')
  const modules = new Set(
    files.flatMap(file => /^\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []),
  )
  console.log(
    `  app.asar ${megabytes(archive)}, beside it ${megabytes(besideArchive(archive))}, ` +
      `models ${megabytes(join(resources, 'models'))}, ${modules.size} modules`,
  )
}

function megabytes(path: string): string {
  const files = statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter(each => each.isFile())
        .map(each => join(each.parentPath, each.name))
    : [path]
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)
  return `${(bytes / 1e6).toFixed(1)} MB`
}

/**
 * Check that every script that runs in another process or thread is beside the archive, with each chunk and
 * package that it imports, and every native module too; and that the code of the main process, the preload
 * and the window is not.
 */
export function checkUnpacked(asar: Asar, archive: string): void {
  const beside = besideArchive(archive)
  const isUnpacked = (name: string) => asar.statFile(archive, name).unpacked === true
  const files = asar
    .listPackage(archive, {})
    .map(file => file.slice(1))
    .filter(name => statSync(join(beside, name), { throwIfNoEntry: false })?.isDirectory() !== true)

  const natives = files.filter(name => /\.(node|so|dylib|dll)$/.test(name))
  assert.ok(natives.length > 1, 'there are native modules')
  assert.deepEqual(
    natives.filter(name => !isUnpacked(name) || !existsSync(join(beside, name))),
    [],
  )

  const workers = [
    'engine-process',
    'import-worker',
    'search-worker',
    'data-thread',
    'recall-thread',
    'text-worker',
    'document-process',
    'picture-process',
    'spool-thread',
    'scan-thread',
  ]
  const scripts = workers.map(name => `out/main/${name}.js`)
  const reached = importsFrom(beside, scripts)
  assert.deepEqual(reached.missing, [], 'a worker imports what is not beside the archive')
  for (const name of ['node-llama-cpp', '@napi-rs/image']) assert.ok(reached.packages.has(name), name)
  const mustStay = ['package.json', 'out/main/index.js', 'out/preload/index.cjs', 'out/renderer/index.html']
  assert.deepEqual(mustStay.filter(isUnpacked), [], 'lies outside what the archive protects')
  console.log(
    `  ${reached.files.size} files of workers and ${natives.length} native modules lie beside the archive; ` +
      `they import ${[...reached.packages].join(', ')}`,
  )
}

/**
 * Everything that scripts in `folder` import, directly or through their own chunks, and what of it is
 * missing.
 */
function importsFrom(folder: string, scripts: readonly string[]) {
  const files = new Set<string>()
  const packages = new Set<string>()
  const missing: string[] = []
  const waiting = [...scripts]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (files.has(name)) continue
    const path = join(folder, name)
    if (!existsSync(path)) {
      missing.push(name)
      continue
    }
    files.add(name)
    for (const specifier of importsOf(readFileSync(path, 'utf8'))) {
      if (specifier.startsWith('.')) waiting.push(join(dirname(name), specifier))
      else if (!isBuiltin(specifier) && specifier !== 'electron') packages.add(specifier)
    }
  }
  for (const name of packages)
    if (!existsSync(join(folder, 'node_modules', name, 'package.json'))) missing.push(name)
  return { files, packages, missing }
}

/** Everything that a module imports from, including imports inside functions. */
function importsOf(source: string): string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync('module.js', source).module
  return [
    ...staticImports.map(each => each.moduleRequest.value),
    ...staticExports.flatMap(each => each.entries.flatMap(entry => entry.moduleRequest?.value ?? [])),
    // oxlint-disable-next-line unicorn/prefer-string-slice -- an offset in the text
    ...dynamicImports.flatMap(
      ({ moduleRequest: { start, end } }) => /^(['"])(.*)\1$/.exec(source.slice(start, end))?.[2] ?? [],
    ),
  ]
}
