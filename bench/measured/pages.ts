import { engineSections } from './engine-rows.ts'
import { qualitySections } from './quality-rows.ts'
import type { Page } from './row.ts'
import { speedSections } from './speed-rows.ts'

/** The pages of `docs/measurements` beside its README, in the order of that README. */
export const pages: readonly Page[] = [
  { file: 'quality.md', title: 'Quality', sections: qualitySections },
  { file: 'speed.md', title: 'Speed of the window and the host', sections: speedSections },
  { file: 'engine.md', title: 'Local models', sections: engineSections },
]
