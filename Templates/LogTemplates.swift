// Templates embedded for LogEmission.
