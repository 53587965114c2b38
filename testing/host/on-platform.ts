const actual = process.platform

/** Set `process.platform`; without an argument, restore the actual platform. */
export const onPlatform = (platform: NodeJS.Platform = actual): void =>
  void Object.defineProperty(process, 'platform', { value: platform })
