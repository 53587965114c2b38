const editor = 'commands lang-markdown language state view'.split(' ').map(name => `@codemirror/${name}`)
const draws = ['react', 'zustand', 'src/shared']

/** What each folder of the window may import besides itself, in the form of `layers`. */
export const windowLayers: Record<string, readonly string[]> = {
  'src/renderer/ui': [
    'diff',
    'lucide-react',
    'react',
    'virtua',
    'src/shared/visible-text',
    'src/shared/text',
  ],
  // A query library caches and repeats requests to the host, behind two hooks.
  'src/renderer/rpc': ['@tanstack/react-query', ...draws],
  // Renders text of models and skills, without loading or running anything in it.
  'src/renderer/markdown': [
    'katex',
    'highlight.js',
    'react-markdown',
    'remark-breaks',
    'remark-cjk-friendly',
    'remark-cjk-friendly-gfm-strikethrough',
    'remark-gfm',
    'remend',
    'src/renderer/ui',
    ...draws,
  ],
  'src/renderer/features': [
    ...editor,
    'lucide-react',
    'react-dom',
    'virtua',
    'src/renderer/*',
    'src/renderer/markdown',
    'src/renderer/rpc',
    'src/renderer/ui',
    ...draws,
  ],
  'src/renderer': ['lucide-react', 'react-dom', 'src/renderer', ...draws],
}
