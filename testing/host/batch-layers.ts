/** What batches may import, as entries of `layers`: many rows, each answered by the agent, with results in a folder. */
export const batchLayers = {
  'src/main/batch': [
    'node',
    'zod',
    'src/main/agent',
    'type src/main/confinement',
    'src/main/db/lock.ts',
    'type src/main/db',
    'src/main/learning/trajectories.ts',
    'src/main/lib',
    'src/main/models/engine.ts',
    'src/main/pictures/picture-file.ts',
    'src/main/pictures/prepare-picture.ts',
    'type src/main/runs',
    'src/main/tools/terminal',
    'src/shared',
  ],
} satisfies Record<string, readonly string[]>
