import { wordings } from '../wording.ts'
import { aboutHome } from './about-home.ts'
import { aboutLife } from './about-life.ts'
import { aboutPeople } from './about-people.ts'
import { aboutTaste } from './about-taste.ts'
import { aboutWork } from './about-work.ts'
import type { Relation, Written } from './relation.ts'

const written: Readonly<Record<string, Written>> = {
  ...aboutPeople,
  ...aboutTaste,
  ...aboutHome,
  ...aboutWork,
  ...aboutLife,
}

/** All kinds of things that people tell. */
export const relations: readonly Relation[] = Object.entries(written).map(
  ([id, { target = 'user', key = id, value, said, topic, ask }]) => ({
    id,
    target,
    key: `${id}:${key}`,
    value,
    said: wordings(said),
    topic: wordings(topic),
    ask: wordings(ask),
  }),
)
