/** A node of a syntax tree of oxc-parser, with offsets in UTF-16 units. */
export type Tree = { type: string; start: number; end: number; [key: string]: unknown }

const isTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && typeof (value as Tree).type === 'string'

/** The child nodes of a node, in order. */
export const childrenOf = (node: Tree): Tree[] =>
  Object.entries(node).flatMap(([key, value]) =>
    key === 'parent' ? [] : Array.isArray(value) ? value.filter(isTree) : isTree(value) ? [value] : [],
  )

/** Whether a node holds no text for users: classes, keys, modules, types, patterns. */
export function isNoText(node: Tree): boolean {
  if (node.type === 'ImportDeclaration' || node.type.startsWith('TS'))
    return (
      node.type !== 'TSAsExpression' &&
      node.type !== 'TSSatisfiesExpression' &&
      node.type !== 'TSNonNullExpression'
    )
  if (node.type === 'TaggedTemplateExpression') return true
  if (node.type === 'CallExpression') return (node['callee'] as { name?: string }).name === 'cx'
  return (
    node.type === 'JSXAttribute' &&
    /^(?:className|key|id|htmlFor|d|href|type|role|viewBox|keys|data-.*)$/.test(nameOf(node['name']))
  )
}

/** The name of an identifier; empty for other nodes. */
export const nameOf = (node: unknown): string => {
  const { name } = node as { name?: unknown }
  return typeof name === 'string' ? name : ''
}

/** The text of a literal or template, with `{}` for each slot; undefined for other nodes. */
export function textOf(node: Tree): string | undefined {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value']
  if (node.type !== 'TemplateLiteral') return undefined
  return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('{}')
}
