import { anyObject, chooseFrom, type ObjectShape, resolve, type Shape } from './shape.ts'

/** A tool whose schema has been read. */
export type KnownTool = { name: string; shape: Shape }

/** The objects that a shape allows. Arguments are always one, whatever the schema says. */
export function objectsIn(shape: Shape): readonly ObjectShape[] {
  const found: ObjectShape[] = []
  const seen = new Set<Shape>()
  const look = (each: Shape) => {
    if (seen.has(each)) return
    seen.add(each)
    const at = resolve(each)
    if (at.kind === 'object') found.push(at)
    if (at.kind === 'choice') at.of.forEach(look)
  }
  look(shape)
  return found.length > 0 ? [...new Set(found)] : [anyObject]
}

/** The shape of the arguments: an object in any case. */
export const asArguments = (shape: Shape): Shape => chooseFrom(objectsIn(shape)) ?? anyObject
