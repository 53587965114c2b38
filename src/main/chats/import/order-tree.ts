/** A message of a tree, with its parent. */
export type TreeNode = { id: string | undefined; parent: string | null | undefined; at: number | undefined }

/**
 * A message in the new order. `after`: its parent's position, unless just before it; null for a later root.
 */
type Ordered = { index: number; after?: number | null }

/** The parent that exports of Claude give to root messages. */
const NO_PARENT = /^0{8}-/

/**
 * Order the messages of a tree so that each follows its parent and the newest path comes last. Appending them
 * in this order, each after its parent, then ends with that path. `leaf` is the end that the export names.
 */
export function orderTree(nodes: readonly TreeNode[], leaf: string | null | undefined): Ordered[] {
  const parents = parentsOf(nodes)
  const children = nodes.map((): number[] => [])
  const roots: number[] = []
  for (const [index, parent] of parents.entries()) (parent < 0 ? roots : children[parent]!).push(index)
  const order = downwards(roots, children)
  const ends = newestEnds(nodes, order, parents)
  const named = leaf == null ? -1 : nodes.findIndex(({ id }) => id === leaf)
  const end =
    named >= 0
      ? ends[named]!
      : newestOf(
          nodes,
          roots.map(root => ends[root]!),
        )
  const onPath = new Set<number>()
  for (let at = end ?? -1; at >= 0; at = parents[at]!) onPath.add(at)
  const pathLast = (indices: readonly number[]) => [
    ...indices.filter(index => !onPath.has(index)),
    ...indices.filter(index => onPath.has(index)),
  ]
  const places = new Map<number, number>()
  return downwards(pathLast(roots), children.map(pathLast)).map((index, place) => {
    places.set(index, place)
    const parent = parents[index]!
    const after = parent < 0 ? null : places.get(parent)!
    const isNext = after === null ? place === 0 : after === place - 1
    return isNext ? { index } : { index, after }
  })
}

/** Return the index of each parent, -1 for a root. A list without parents (older exports) is one path. */
function parentsOf(nodes: readonly TreeNode[]): number[] {
  const places = new Map<string, number>()
  for (const [index, { id }] of nodes.entries())
    if (id !== undefined && !places.has(id)) places.set(id, index)
  const first = nodes[0]?.parent
  const isTree = nodes.some(({ parent }) => parent != null && places.has(parent))
  const parents = nodes.map(({ parent }, index) => {
    if (!isTree) return index - 1
    const known = parent == null ? undefined : places.get(parent)
    if (known !== undefined && known !== index) return known
    if (parent === undefined) return index - 1
    // A message whose parent is missing follows the previous one in the list.
    return parent === first || (parent !== null && NO_PARENT.test(parent)) ? -1 : index - 1
  })
  cutCircles(parents)
  return parents
}

/** Break cycles: a message that would follow itself becomes a root. */
function cutCircles(parents: number[]): void {
  const seenIn = parents.map(() => -1)
  for (const start of parents.keys()) {
    let at = start
    while (at >= 0 && seenIn[at]! < 0) {
      seenIn[at] = start
      const parent = parents[at]!
      if (parent >= 0 && seenIn[parent] === start) parents[at] = -1
      at = parents[at]!
    }
  }
}

/** Return these and all their descendants, parents first. */
function downwards(roots: readonly number[], children: readonly (readonly number[])[]): number[] {
  const order: number[] = []
  const open = roots.toReversed()
  for (let index = open.pop(); index !== undefined; index = open.pop()) {
    order.push(index)
    for (const child of children[index]!.toReversed()) open.push(child)
  }
  return order
}

/** Return the newest leaf below each message. */
function newestEnds(
  nodes: readonly TreeNode[],
  order: readonly number[],
  parents: readonly number[],
): number[] {
  const ends = nodes.map(() => -1)
  for (const index of order.toReversed()) {
    if (ends[index]! < 0) ends[index] = index
    const parent = parents[index]!
    if (parent >= 0) ends[parent] = newestOf(nodes, [ends[parent]!, ends[index]!])!
  }
  return ends
}

function newestOf(nodes: readonly TreeNode[], indices: readonly number[]): number | undefined {
  let newest: number | undefined
  for (const index of indices) {
    if (index < 0) continue
    const [at, before] = [index, newest ?? index].map(each => nodes[each]!.at ?? 0) as [number, number]
    if (newest === undefined || at > before || (at === before && index > newest)) newest = index
  }
  return newest
}
