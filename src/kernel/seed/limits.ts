// Limits of a seed's documents, with their units.

export const MANIFEST_BYTES_MAX = 64 * 1024;
export const MANIFEST_TEXT_CHARACTERS_MAX = 2000;
export const MANIFEST_LIST_MAX = 64;
/** Longest time a seed may be promised; longer work renews its manifest, which is signed anew. */
export const SEED_TTL_SECONDS_MAX = 24 * 60 * 60;
