const actual = process.platform

/** Let `process.platform` be another one; without an argument it is the actual one again. */
export const onPlatform = (platform: NodeJS.Platform = actual): void =>
  void Object.defineProperty(process, 'platform', { value: platform })
