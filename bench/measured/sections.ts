import { engineSections } from './engine-rows.ts'
import { qualitySections } from './quality-rows.ts'
import type { Section } from './row.ts'
import { speedSections } from './speed-rows.ts'

/** All of MEASURED.md, in its order. */
export const sections: readonly Section[] = [...qualitySections, ...speedSections, ...engineSections]
