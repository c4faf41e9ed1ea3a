/** URL parameter of a page: the name of the resource whose whole list it shows instead of its overview. */
export const listParam = 'list';
