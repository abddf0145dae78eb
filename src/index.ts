export { GalleyError } from './core/model/error.js';
