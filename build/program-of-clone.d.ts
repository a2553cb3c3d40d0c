export const stampFile: string;
export function programOfClone(): string;
export function signatureOf(folder: string, names: readonly string[]): Record<string, string>;
