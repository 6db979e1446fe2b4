// Which lazarus this is: the version of the package, here because what runs from a bundle has no package beside it.
export const VERSION = '0.1.0';
