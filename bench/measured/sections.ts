import { engineSections } from './engine-rows.ts'
import { qualitySections } from './quality-rows.ts'
import type { Section } from './row.ts'
import { speedSections } from './speed-rows.ts'

/** All sections of MEASURED.md, in order. */
export const sections: readonly Section[] = [...qualitySections, ...speedSections, ...engineSections]
