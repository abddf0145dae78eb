export const toolName = (id: string): string => id.replaceAll(':', '_');
