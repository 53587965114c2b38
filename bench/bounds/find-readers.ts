import { posix } from 'node:path'
import { parseSync, type Node } from 'oxc-parser'

/**
 * How a parameter is filled when a reader is called: with the text; with any value of its type; with an
 * object of such values; or, by the name of its type, with a value from `samples.ts`. `none`: the parameter
 * has a default.
 */
export type Filled =
  | 'text'
  | 'string'
  | 'number'
  | 'boolean'
  | 'function'
  | 'strings'
  | 'list'
  | 'record'
  | 'map'
  | 'set'
  | 'none'
  | { value: string }
  | { fields: Record<string, Filled> }
  | { type: string }
/**
 * An exported function that reads a text. `params`: how each parameter is filled; `texts`: the names of the
 * parameters that it reads.
 */
export type Reader = { file: string; name: string; params: Filled[]; texts: string[]; how: string }

type Text = { at: number; field: string | undefined; name: string }
type Known = { node: FunctionNode; texts: Text[]; isExported: boolean }
type FunctionNode = Extract<
  Node,
  { type: 'FunctionDeclaration' | 'FunctionExpression' | 'ArrowFunctionExpression' }
>
type Module = { functions: Map<string, Known>; imports: Map<string, { from: string; name: string }> }

/**
 * Names of parameters whose texts only name a thing: a path, an id, a key. Systems and the contract keep such
 * texts below 4,096 characters, and too many functions read them to list. A parameter with a text from others
 * must not have such a name.
 */
const THINGS =
  /^(?:path|file|folder|dir|root|home|cwd|workspace|id|key|name|kind|zone|host|hostname|platform|version|label|locale|encoding|contentType|mime|column|hash|field|program|from|to|at|model|tool|\w+(?:Id|Path|Folder|File|Name|Key|Root|Home|Url))$/

/** Methods of other objects that read the text they are given, such as `test` of a regular expression. */
const READING = new Set([
  'test',
  'exec',
  'parse',
  'safeParse',
  'segment',
  'lexer',
  'from',
  'matchAll',
  'reduce',
])
/**
 * Modules of Node whose functions read a text. Those for paths, files and hashes are as fast as copying the
 * text.
 */
const READING_OF_NODE = new Set(['node:util', 'node:querystring'])

/**
 * The exported functions of `sources`, which are texts by path, that read a text. Such a function has a
 * parameter of the type `string` (also with undefined or null, or as a field of a type that is written at the
 * parameter) without the name of a thing, and it looks into it: it uses a method or a character of the text,
 * loops over it, or passes it to a regular expression, to `JSON.parse`, to a package, or to a function of the
 * sources that looks into it. Three cases cannot be seen and are added to the table by hand: a text inside an
 * object of a named type, a method of a class, and a function that another function makes.
 */
export function findReaders(sources: Readonly<Record<string, string>>): Reader[] {
  const modules = new Map(Object.entries(sources).map(([file, source]) => [file, readModule(file, source)]))
  const known = new Map<string, string>()

  function howRead(file: string, name: string, text: Text): string {
    const id = `${file} ${name} ${text.at} ${text.field ?? ''}`
    const before = known.get(id)
    if (before !== undefined) return before
    // Marked first, because a function that calls itself would be looked at forever.
    known.set(id, '')
    const found = lookInside(file, modules.get(file)!.functions.get(name)!.node, text.name)
    known.set(id, found)
    return found
  }

  function lookInside(file: string, inside: FunctionNode, text: string): string {
    let how = ''
    if (inside.body)
      eachNode(inside.body, (node, parent) => {
        if (how === '' && node.type === 'Identifier' && node.name === text)
          how = useOf(file, inside, node, parent)
      })
    return how
  }

  function useOf(file: string, inside: FunctionNode, node: Node, parent: Node): string {
    if (parent.type === 'MemberExpression' && parent.object === node)
      return parent.computed
        ? 'its letters'
        : nameOf(parent.property) === 'length'
          ? ''
          : nameOf(parent.property)
    if (parent.type === 'ForOfStatement' && parent.right === node) return 'for … of'
    if (parent.type === 'SpreadElement') return '…'
    // The same text under another name.
    if (parent.type === 'VariableDeclarator' && parent.init === node && parent.id.type === 'Identifier')
      return lookInside(file, inside, parent.id.name)
    if (parent.type !== 'CallExpression' || parent.callee === node) return ''
    const { callee } = parent
    if (callee.type === 'MemberExpression') {
      const method = nameOf(callee.property)
      return READING.has(method) ? method : ''
    }
    if (callee.type !== 'Identifier') return ''
    return calledWith(file, callee.name, parent.arguments.indexOf(node as never)) ? callee.name : ''
  }

  function calledWith(file: string, name: string, at: number): boolean {
    const { functions, imports } = modules.get(file)!
    const imported = imports.get(name)
    if (imported && !imported.from.startsWith('.'))
      return imported.from.startsWith('node:')
        ? READING_OF_NODE.has(imported.from)
        : !/^(?:react|electron)\b/.test(imported.from)
    const where = imported ? posix.join(posix.dirname(file), imported.from) : file
    const there = imported ? imported.name : name
    const called = imported ? modules.get(where)?.functions.get(there) : functions.get(name)
    const text = called?.texts.find(({ at: place }) => place === at)
    return text !== undefined && howRead(where, there, text) !== ''
  }

  return [...modules].flatMap(([file, { functions }]) =>
    [...functions].flatMap(([name, { node, texts, isExported }]) => {
      if (!isExported) return []
      const read = texts.filter(text => !THINGS.test(text.name) && howRead(file, name, text) !== '')
      if (read.length === 0) return []
      const params = node.params.map((param, at) => filledWith(param, read, at))
      return [{ file, name, params, texts: read.map(text => text.name), how: howRead(file, name, read[0]!) }]
    }),
  )
}

function readModule(file: string, source: string): Module {
  const found: Module = { functions: new Map(), imports: new Map() }
  const keep = (name: string, node: Node | null, isExported: boolean) => {
    if (node && isFunction(node))
      found.functions.set(name, { node, isExported, texts: node.params.flatMap(textsOf) })
  }
  for (const statement of parseSync(file, source).program.body) {
    if (statement.type === 'ImportDeclaration')
      for (const specifier of statement.specifiers) {
        const name = specifier.type === 'ImportSpecifier' ? nameOf(specifier.imported) : specifier.local.name
        found.imports.set(specifier.local.name, { from: statement.source.value, name })
      }
    const isExported = statement.type === 'ExportNamedDeclaration'
    const declared = isExported ? statement.declaration : statement
    if (declared?.type === 'FunctionDeclaration' && declared.id) keep(declared.id.name, declared, isExported)
    if (declared?.type === 'VariableDeclaration')
      for (const { id, init } of declared.declarations)
        if (id.type === 'Identifier') keep(id.name, init, isExported)
  }
  return found
}

const isFunction = (node: Node): node is FunctionNode =>
  node.type === 'FunctionDeclaration' ||
  node.type === 'ArrowFunctionExpression' ||
  node.type === 'FunctionExpression'

const nameOf = (node: Node): string =>
  'name' in node && typeof node.name === 'string'
    ? node.name
    : 'value' in node && typeof node.value === 'string'
      ? node.value
      : ''

/** The type of a parameter, as it is written or as its default has it. */
function typeOf(param: Node): Node | undefined {
  if ('typeAnnotation' in param && param.typeAnnotation && 'typeAnnotation' in param.typeAnnotation)
    return param.typeAnnotation.typeAnnotation as Node
  return undefined
}

function textsOf(param: Node, at: number): Text[] {
  if (param.type === 'AssignmentPattern') {
    const isText = param.right.type === 'Literal' && typeof param.right.value === 'string'
    if (param.left.type === 'Identifier' && isText) return [{ at, field: undefined, name: param.left.name }]
    return textsOf(param.left, at)
  }
  const type = typeOf(param)
  if (param.type === 'Identifier') return isText(type) ? [{ at, field: undefined, name: param.name }] : []
  if (param.type !== 'ObjectPattern' || type?.type !== 'TSTypeLiteral') return []
  return type.members.flatMap(member =>
    member.type === 'TSPropertySignature' && isText(typeOf(member))
      ? [{ at, field: nameOf(member.key), name: nameOf(member.key) }]
      : [],
  )
}

const isText = (type: Node | undefined): boolean =>
  type?.type === 'TSStringKeyword' || (type?.type === 'TSUnionType' && type.types.some(isText))

function filledWith(param: Node, read: readonly Text[], at: number): Filled {
  const fields = read.flatMap(text => (text.at === at && text.field !== undefined ? [text.field] : []))
  if (read.some(text => text.at === at && text.field === undefined)) return 'text'
  if (param.type === 'AssignmentPattern' && fields.length === 0) return 'none'
  if ('optional' in param && param.optional === true) return 'none'
  const filled = filledFor(typeOf(param.type === 'AssignmentPattern' ? param.left : param))
  if (fields.length === 0 || typeof filled === 'string' || !('fields' in filled)) return filled
  return { fields: { ...filled.fields, ...Object.fromEntries(fields.map(field => [field, 'text'])) } }
}

/** Types that are made from another one with all or some of its fields. */
const AROUND = new Set(['Pick', 'Omit', 'Partial', 'Readonly', 'Required', 'Extract'])
const EMPTY: Readonly<Record<string, Filled>> = {
  Array: 'list',
  ReadonlyArray: 'list',
  Iterable: 'list',
  Record: 'record',
  Map: 'map',
  ReadonlyMap: 'map',
  Set: 'set',
  ReadonlySet: 'set',
}

function filledFor(type: Node | undefined): Filled {
  if (!type) return { type: '' }
  if (isText(type)) return 'string'
  switch (type.type) {
    case 'TSNumberKeyword':
      return 'number'
    case 'TSBooleanKeyword':
      return 'boolean'
    case 'TSFunctionType':
      return 'function'
    case 'TSTypeOperator':
    case 'TSParenthesizedType':
      return filledFor(type.typeAnnotation)
    case 'TSArrayType':
      return isText(type.elementType) ? 'strings' : 'list'
    case 'TSLiteralType':
      return type.literal.type === 'Literal' && typeof type.literal.value === 'string'
        ? { value: type.literal.value }
        : 'boolean'
    case 'TSUnionType':
      return type.types.some(one => one.type === 'TSUndefinedKeyword') ? 'none' : filledFor(type.types[0])
    case 'TSTypeLiteral':
      return { fields: Object.fromEntries(type.members.flatMap(fieldOf)) }
    case 'TSTypeReference': {
      const name = nameOf(type.typeName)
      const inner = type.typeArguments?.params[0]
      return EMPTY[name] ?? (AROUND.has(name) ? filledFor(inner) : { type: name })
    }
    default:
      return { type: '' }
  }
}

function fieldOf(member: Node): [string, Filled][] {
  if (member.type === 'TSMethodSignature') return [[nameOf(member.key), 'function']]
  if (member.type !== 'TSPropertySignature' || member.optional) return []
  return [[nameOf(member.key), filledFor(typeOf(member))]]
}

function eachNode(root: Node, see: (node: Node, parent: Node) => void): void {
  for (const [key, value] of Object.entries(root)) {
    if (key === 'parent' || key === 'typeAnnotation') continue
    for (const child of Array.isArray(value) ? value : [value])
      if (isNode(child)) {
        see(child, root)
        eachNode(child, see)
      }
  }
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
