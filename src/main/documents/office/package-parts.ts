import { posix } from 'node:path'
import type { ZipMembers } from '../document.ts'
import { walkMarkup, type Tag } from '../web/markup.ts'

/** A reference from one part of an Office document: its id, its type, and the target part or URL. */
export type Relation = { id: string; type: string; target: string; isOutside: boolean }

/** The references of a part, for example to the slides of a presentation. */
export function relationsOf(zip: ZipMembers, part: string): Relation[] {
  const folder = posix.dirname(part)
  const relations: Relation[] = []
  walkMarkup(zip.text(`${folder}/_rels/${posix.basename(part)}.rels`) ?? '', {
    open(tag) {
      if (tag.name !== 'Relationship') return
      const target = tag.get('Target') ?? ''
      const isOutside = tag.get('TargetMode') === 'External'
      relations.push({
        id: tag.get('Id') ?? '',
        type: (tag.get('Type') ?? '').replace(/^.*\//, ''),
        target: isOutside ? target : target.startsWith('/') ? target.slice(1) : posix.join(folder, target),
        isOutside,
      })
    },
  })
  return relations
}

/** Whether a switch is on, such as `<w:b/>`. `<w:b w:val="0"/>` is off. */
export const isOn = (tag: Tag): boolean => !/^(?:0|false|off)$/.test(tag.get('val') ?? '')

/** Whether a value of an attribute means yes. */
export const isTrue = (value: string | undefined): boolean => value === '1' || value === 'true'
