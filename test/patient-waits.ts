// A wait ends when its state comes. One second, which it lasts unless told, is what a busy machine may need for a process to start.
import { vi } from 'vitest';

const { waitFor, waitUntil } = vi;
const patience = 60_000;

vi.waitFor = (callback, options = patience) => waitFor(callback, options);
vi.waitUntil = (callback, options = patience) => waitUntil(callback, options);
