// Starts flagdouble at the path of the server in Unleash's image.
import './cli.js'
