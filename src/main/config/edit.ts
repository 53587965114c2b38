import { isDeepStrictEqual } from 'node:util'
import { isMap, isScalar, isSeq, type Document, type Node } from 'yaml'

/** Write one setting into a document so that comments and order around it stay; `undefined` removes it. */
export function putSetting(
  document: Document,
  [section, key]: readonly [string, string],
  value: unknown,
): void {
  if (value === undefined) {
    if (isMap(document.get(section))) document.deleteIn([section, key])
    return
  }
  // `ui:` with nothing behind it is a null, which cannot hold anything.
  if (!isMap(document.get(section))) document.set(section, document.createNode({}))
  const old = document.getIn([section, key], true)
  if (Array.isArray(value) && isSeq(old)) old.items = value.map(each => entryLike(old.items, each, document))
  else if (isScalar(old) && (typeof value !== 'object' || value === null)) old.value = value
  else document.setIn([section, key], document.createNode(value))
}

/** The entry that is there already, with its comments, when it says the same. */
function entryLike(entries: readonly unknown[], value: unknown, document: Document): Node {
  const same = entries.find(entry => isDeepStrictEqual((entry as Node).toJS(document), value))
  return (same as Node | undefined) ?? document.createNode(value)
}
