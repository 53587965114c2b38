import type { Options } from 'react-markdown'
import remarkBreaks from 'remark-breaks'
import remarkCjkFriendly from 'remark-cjk-friendly/parseOnly'
import remarkCjkStrikethrough from 'remark-cjk-friendly-gfm-strikethrough/parseOnly'
import remarkGfm from 'remark-gfm'
import { mathSyntax } from '../math/math-syntax.ts'
import { shortAddresses } from './addresses.ts'
import { setDirections } from './directions.ts'
import { freeEmphasis } from './emphasis.ts'
import { plainHtml } from './plain-html.ts'
import { keepShortCells } from './short-cells.ts'
import { writeUnseen } from './unseen-text.ts'

type Plugins = NonNullable<Options['remarkPlugins']>

/** The parser plugins for files, whose lines are wrapped by hand. Only `~~` strikes: `3~5` is a range. */
export const filePlugins: Plugins = [
  [remarkGfm, { singleTilde: false }],
  [remarkCjkStrikethrough, { singleTilde: false }],
  remarkCjkFriendly,
  freeEmphasis,
  shortAddresses,
  mathSyntax,
  plainHtml,
]

/** The parser plugins for answers: as for files, but each line end is a line break. */
export const answerPlugins: Plugins = [...filePlugins, remarkBreaks]

/** The plugins that run before rendering. */
export const drawPlugins: Plugins = [setDirections, keepShortCells, writeUnseen]
